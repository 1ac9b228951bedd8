import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@casewatch/dev-stack/free-port';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectorProgram } from '../src/collector.ts';

const config = fileURLToPath(new URL('../otel-collector.yaml', import.meta.url));
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACES = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'casewatch-gateway' } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: TRACE_ID,
              spanId: 'b7ad6b7169203331',
              name: 'gateway GET /api/case-status/:receiptNumber',
              kind: 2,
              startTimeUnixNano: '1767225600000000000',
              endTimeUnixNano: '1767225600020000000',
            },
          ],
        },
      ],
    },
  ],
};

let program: string;
let folder: string;
beforeAll(async () => {
  program = await collectorProgram();
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-collector-'));
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the collector takes its configuration', async () => {
  await promisify(execFile)(program, ['validate', `--config=${config}`]);
});

it('traces are forwarded to the store, metrics are not', async () => {
  const taken: { url: string; text: string }[] = [];
  const store = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req.setEncoding('utf8')) text += chunk;
    taken.push({ url: req.url ?? '', text });
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  const [port, ownMetrics] = [await freePort(), await freePort()];
  const here = path.join(folder, 'here.yaml');
  // Only where it listens, and that a test can read what it sends.
  writeFileSync(
    here,
    JSON.stringify({
      receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
      exporters: { otlphttp: { encoding: 'json', compression: 'none' } },
      service: {
        telemetry: {
          metrics: {
            readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: ownMetrics } } } }],
          },
        },
      },
    }),
  );
  const collector = spawnChild(program, [`--config=${config}`, `--config=${here}`], {
    env: { ...process.env, TRACES_TO: `http://127.0.0.1:${(store.address() as AddressInfo).port}` },
  });
  const send = async (kind: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    return answer?.status;
  };
  try {
    await expect.poll(() => send('metrics', { resourceMetrics: [] }), { timeout: 30_000 }).toBe(200);
    expect(await send('traces', TRACES)).toBe(200);
    await expect
      .poll(() => taken.some(({ text }) => text.includes(TRACE_ID)), { timeout: 30_000 })
      .toBe(true);
    expect(taken.map(({ url }) => url)).toEqual(['/v1/traces']);
    const metrics = await (await fetch(`http://127.0.0.1:${ownMetrics}/metrics`)).text();
    expect(metrics).toContain('otelcol_receiver_accepted_spans');
  } finally {
    const ended = new Promise((resolve) => collector.once('exit', resolve));
    collector.kill('SIGTERM');
    await ended;
    store.close();
  }
}, 120_000);
