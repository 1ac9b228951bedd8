import { text } from 'node:stream/consumers';
import { createEventTelemetry } from '@casewatch/messaging/event-telemetry';
import { diag } from '@opentelemetry/api';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../../src/http/http-server.ts';
import { reportTelemetryErrors, startTelemetry } from '../../src/telemetry/start-telemetry.ts';
import { noTracing, ROOT } from '../../src/telemetry/tracing.ts';

const TRACE = 'a'.repeat(32);
const OTHER_TRACE = 'b'.repeat(32);
const PARENT = 'c'.repeat(16);
const sampled = (traceId: string) => `00-${traceId}-${PARENT}-01`;

let collector: ListeningServer;
let sent: string;
beforeEach(async () => {
  sent = '';
  collector = await listen(
    async (req, res) => {
      const body = await text(req);
      if (req.url === '/v1/traces') sent += body;
      res.setHeader('content-type', 'application/json').end('{}');
    },
    { host: '127.0.0.1', port: 0 },
  );
});
afterEach(() => collector.drain());

const start = (tracesRatio: number, otlpEndpoint: string | undefined = collector.url) =>
  startTelemetry({ process: 'casewatch-test', otlpEndpoint, tracesRatio });

test('without a collector there are no spans, and nothing is handed on', async () => {
  const telemetry = await startTelemetry({ process: 'x', otlpEndpoint: undefined, tracesRatio: 1 });
  const { tracing } = telemetry;
  expect(tracing).toBe(noTracing);
  const seen = await tracing.inSpan({ name: 'x', kind: 'internal' }, async () => tracing.traceparent());
  expect(seen).toBeUndefined();
  await telemetry.stop();
});

test('what is asynchronous stays in its span, side by side with others', async () => {
  const telemetry = await start(1);
  const { tracing } = telemetry;
  const inside = (parent: string) =>
    tracing.inSpan({ name: 'x', kind: 'server', parent }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return tracing.traceparent();
    });
  const [one, other] = await Promise.all([inside(sampled(TRACE)), inside(sampled(OTHER_TRACE))]);
  expect(one).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  expect(other).toMatch(new RegExp(`^00-${OTHER_TRACE}-[0-9a-f]{16}-01$`));
  expect(tracing.traceparent()).toBeUndefined();
  await telemetry.stop();
});

test('a sample ratio of zero keeps no trace, and downstream services follow it', async () => {
  const telemetry = await start(0);
  const { tracing } = telemetry;
  const own = await tracing.inSpan({ name: 'own', kind: 'server', parent: ROOT }, async () =>
    tracing.traceparent(),
  );
  expect(own).toMatch(/-00$/);
  await tracing.inSpan({ name: 'chosen before', kind: 'server', parent: sampled(TRACE) }, async () => 1);
  await telemetry.stop();
  expect(sent).toContain('chosen before');
  expect(sent).not.toContain('"own"');
});

test('a context that is none begins a trace of its own', async () => {
  const telemetry = await start(1);
  const { tracing } = telemetry;
  const seen = await tracing.inSpan({ name: 'x', kind: 'server', parent: '00-xyz-1-01' }, async () =>
    tracing.traceparent(),
  );
  expect(seen).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await telemetry.stop();
});

test('a batch continues the trace of its first event and is linked to the others', async () => {
  const telemetry = await start(1);
  const event = (traceId: string) => ({
    id: 'x',
    topic: 'case-observed',
    key: 'k',
    payload: {},
    headers: { traceparent: sampled(traceId) },
  });
  const seen = await createEventTelemetry(telemetry).handling(
    'monitoring',
    [event(TRACE), event(OTHER_TRACE), event(TRACE)],
    async () => telemetry.tracing.traceparent(),
  );
  expect(seen).toContain(TRACE);
  await telemetry.stop();
  const [span] = JSON.parse(sent).resourceSpans[0].scopeSpans[0].spans;
  expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'handle case-observed' });
  expect(span.links).toEqual([expect.objectContaining({ traceId: OTHER_TRACE })]);
});

test('an event continues from the span that published it; an unsampled trace is forwarded unchanged', async () => {
  const telemetry = await start(1);
  const { publishing } = createEventTelemetry(telemetry, 'kafka');
  const event = (traceparent: string) => ({
    id: 'x',
    topic: 'case-observed',
    key: 'k',
    payload: {},
    headers: { traceparent },
  });
  const seen: unknown[] = [];
  const send = async (handedOn: { headers: { traceparent: string } }) => void seen.push(handedOn);
  const unkept = event(`00-${OTHER_TRACE}-${PARENT}-00`);
  await publishing(event(sampled(TRACE)), send);
  await publishing(unkept, send);
  await telemetry.stop();
  const { spans } = JSON.parse(sent).resourceSpans[0].scopeSpans[0];
  expect(spans).toHaveLength(1);
  expect(spans[0]).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'publish case-observed' });
  expect(seen).toMatchObject([{ headers: { traceparent: `00-${TRACE}-${spans[0].spanId}-01` } }, unkept]);
  expect(seen[1]).toBe(unkept);
});

test('what was thrown is marked by its kind alone', async () => {
  const telemetry = await start(1);
  const failing = telemetry.tracing.inSpan({ name: 'x', kind: 'client' }, async () => {
    throw new TypeError('EAC9999103403 of Ada');
  });
  await expect(failing).rejects.toThrow('Ada');
  await telemetry.stop();
  expect(sent).toContain('TypeError');
  expect(sent).not.toContain('EAC9999103403');
});

test('what can’t be sent is a warning of 300 characters at most, and nothing else of OpenTelemetry is logged', () => {
  const logged: unknown[] = [];
  reportTelemetryErrors(pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line)) }));
  try {
    diag.info('started');
    diag.error('x'.repeat(400));
    expect(logged).toMatchObject([
      {
        level: 40,
        part: 'telemetry',
        msg: 'metrics or traces are not sent as they should be',
        err: { message: 'x'.repeat(300) },
      },
    ]);
  } finally {
    diag.disable();
  }
});

test('a span says how it ended, and an event that can’t be sent marks its own as failed', async () => {
  const telemetry = await start(1);
  const { publishing } = createEventTelemetry(telemetry, 'kafka');
  const event = {
    id: 'x',
    topic: 'case-observed',
    key: 'k',
    payload: {},
    headers: { traceparent: sampled(TRACE) },
  };
  await expect(publishing(event, () => Promise.reject(new Error('no broker')))).rejects.toThrow('no broker');
  await publishing(event, async () => undefined);
  const span = telemetry.tracing.open({ name: 'x', kind: 'server', parent: ROOT });
  span.end({ name: 'y', attributes: { 'http.response.status_code': 500 }, failed: true });
  span.end({ name: 'late' });
  await telemetry.stop();
  const { spans } = JSON.parse(sent).resourceSpans[0].scopeSpans[0];
  expect(
    spans.map(({ name, status }: { name: string; status: { code: number } }) => [name, status.code]),
  ).toEqual([
    ['publish case-observed', 2],
    ['publish case-observed', 0],
    ['y', 2],
  ]);
  expect(sent).toContain('"http.response.status_code"');
});
