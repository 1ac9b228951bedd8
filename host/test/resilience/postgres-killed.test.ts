import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { type ProductProcess, startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

const RECEIPT = 'WAC2190000000';
const WITHIN = { timeout: 60_000, interval: 20 };
const JSON_HEADERS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

let folder: string;
let url: string;
let control: string;
let product: ProductProcess;
let ended: string | undefined;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-killed-pg-'));
  const [port, agencyPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  control = `http://127.0.0.1:${agencyPort}/__control`;
  ended = undefined;
  const started = startProductProcess({
    name: 'all-in-one',
    program: 'host/src/main.ts',
    env: {
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(port),
      AGENCY_SIMULATOR_PORT: String(agencyPort),
      MONITORING_PERIOD_SCALE: '0.000003',
      MONITORING_POLL_MS: '100',
      FRESHNESS_SECONDS: '0',
      LOG_LEVEL: 'warn',
    },
    readyUrl: `${url}/readyz`,
    onUnexpectedExit: (how) => {
      ended = how;
    },
  });
  product = started.process;
  await started.ready;
});
afterEach(async () => {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
});

const postgresFolder = () => path.join(folder, 'data', 'postgres');
/** Lines 1 and 4 of postmaster.pid: process id and port. */
const postmaster = () => {
  const [pid, , , port] = readFileSync(path.join(postgresFolder(), 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(pid), port: Number(port) };
};
const moveTo = (status: string) =>
  fetch(`${control}/cases/${RECEIPT}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });

async function signIn() {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({ email: 'pro@demo.test', password: 'demo-demo-demo' }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return (method: string, place: string, body?: unknown) =>
    fetch(url + place, {
      method,
      headers: { ...JSON_HEADERS, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** A query that keeps computing after its server died, so that the shared memory stays in use. */
async function keepBackendBusy(): Promise<void> {
  const { databasePassword } = z
    .object({ databasePassword: z.string() })
    .parse(JSON.parse(readFileSync(path.join(folder, 'data', 'secrets.json'), 'utf8')));
  const connect = async () => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: postmaster().port,
      user: 'casewatch_owner',
      password: databasePassword,
      database: 'casewatch',
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const [busy, watching] = [await connect(), await connect()];
  busy.query('SELECT count(*) FROM generate_series(1, 100000000000)').catch(() => undefined);
  await vi.waitFor(async () => {
    const { rowCount } = await watching.query(
      "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series(1, 1000%' AND pid <> pg_backend_pid()",
    );
    expect(rowCount).toBe(1);
  }, WITHIN);
  await watching.end();
}

test('a killed PostgreSQL is restarted: 503 with Retry-After until then, then every change is delivered once', {
  timeout: 180_000,
}, async () => {
  const call = await signIn();
  const notices = async (status: string) => {
    const all = z
      .array(z.object({ newStatus: z.string() }))
      .parse(await (await call('GET', '/api/notifications')).json());
    return all.filter(({ newStatus }) => newStatus === status).length;
  };
  await moveTo('Case Was Received');
  expect((await call('POST', '/api/saved-cases', { receiptNumber: RECEIPT })).status).toBe(201);
  const watch = { monitoringFrequency: 'daily' };
  expect((await call('PATCH', `/api/saved-cases/${RECEIPT}`, watch)).status).toBe(200);
  await vi.waitFor(async () => {
    const saved = await (await call('GET', '/api/saved-cases')).text();
    expect(saved).toContain('Case Was Received');
  }, WITHIN);
  await moveTo('Fingerprint Fee Was Received');
  await vi.waitFor(async () => expect(await notices('Fingerprint Fee Was Received')).toBe(1), WITHIN);
  await keepBackendBusy();

  const { pid } = postmaster();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => {
    const answer = await call('GET', '/api/saved-cases');
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }, WITHIN);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  await moveTo('Interview Was Scheduled');

  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), WITHIN);
  expect(postmaster().pid).not.toBe(pid);
  await vi.waitFor(async () => expect(await notices('Interview Was Scheduled')).toBe(1), WITHIN);
  const stream = await call('GET', '/api/notifications/stream');
  await moveTo('Interview Was Rescheduled');
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  while (!received.includes('Rescheduled')) received += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  for (const status of ['Fingerprint Fee Was Received', 'Interview Was Scheduled'])
    expect(await notices(status)).toBe(1);
  expect(ended).toBeUndefined();
});

test('a PostgreSQL that can’t be restarted ends the product with a clear message, and its data stays', {
  timeout: 120_000,
}, async () => {
  writeFileSync(path.join(postgresFolder(), 'postgresql.conf'), 'no such setting');
  process.kill(postmaster().pid, 'SIGKILL');
  await vi.waitFor(() => expect(ended).toBe('exit code 1'), WITHIN);
  const words = /The database ended and could not be restarted in 6 tries: .*\n?.*postgresql\.conf/;
  await vi.waitFor(() => expect(product.logs()).toMatch(words), WITHIN);
  expect(readFileSync(path.join(postgresFolder(), 'PG_VERSION'), 'utf8').trim()).toBe('18');
});
