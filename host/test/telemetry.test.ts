import { readdirSync, readFileSync } from 'node:fs';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { clickToPush, until } from './telemetry/click-to-push.ts';
import { exportedNames, namesIn } from './telemetry/metric-names.ts';
import { lineOf } from './telemetry/otlp-receiver.ts';
import { startWatchedAllInOne, type WatchedAllInOne } from './telemetry/watched-all-in-one.ts';

/** The whole product in one process: its telemetry, and what must not be in it. */

const CANARY = {
  receiptNumber: 'WAC9182736454',
  firstName: 'Quetzalina',
  lastName: 'Zyxwvutson',
  email: 'quetzalina.zyxwvutson@canary.test',
  password: 'canary-canary-canary',
};
const UNSAFE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

let mailServer: MailServer;
let product: WatchedAllInOne;
beforeAll(async () => {
  mailServer = await startMailServer();
  // A refusal of a mail server names the recipient.
  mailServer.refuseRecipients(() => 550);
  product = await startWatchedAllInOne({
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Casewatch <notices@casewatch.test>',
    MAIL_SECRET: 'a secret for links in e-mails',
    AGENCY_KEY_ISSUED: '2026-03-01',
  });
  const { firstName, lastName, email, password } = CANARY;
  const signedUp = await fetch(`${product.url}/api/auth/signup`, {
    method: 'POST',
    headers: UNSAFE,
    body: JSON.stringify({ firstName, lastName, email, password }),
  });
  expect(signedUp.status).toBe(201);
  await clickToPush({ ...product, receiptNumber: CANARY.receiptNumber });
}, 120_000);
afterAll(async () => {
  await product.stop();
  await mailServer.stop();
});

const files = new URL('../../charts/casewatch/files/', import.meta.url);
const runbooks = new URL('../../docs/runbooks/', import.meta.url);
const textsIn = (folder: URL) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(new URL(name, folder), 'utf8'));

/** PromQL of the rules, the dashboards, and the blocks of the runbooks. */
const QUERIES: Record<string, string[]> = {
  rules: textsIn(files).flatMap((text) =>
    parse(text).groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr)),
  ),
  dashboards: textsIn(new URL('dashboards/', files)).flatMap((text) =>
    [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, expr = '""']) => JSON.parse(expr)),
  ),
  runbooks: textsIn(runbooks).flatMap((text) =>
    [...text.matchAll(/```promql\n([\s\S]*?)```/g)].map(([, expr = '']) => expr),
  ),
};

test.each(Object.entries(QUERIES))(
  'every metric that %s name is exposed by a running product',
  async (_, queries) => {
    const named = new Set(queries.flatMap(namesIn));
    expect(named.size).toBeGreaterThan(10);
    // Measured where there is a client certificate: kafka-client-certificate.test.ts.
    named.delete('casewatch_client_certificate_expiry_timestamp_seconds');
    const exported = exportedNames(await product.metrics());
    expect([...named].filter((name) => !exported.has(name))).toEqual([]);
  },
);

test('metrics are counted by route pattern, and cannot be read from outside', async () => {
  const metrics = await product.metrics();
  expect(metrics).toContain('http_route="/api/case-status/:receiptNumber"');
  expect((await fetch(`${product.url}/metrics`)).status).toBe(404);
});

test('one trace leads from the click to the push', async () => {
  const line = await until('the push', () => {
    const spans = product.collector.spans();
    const push = spans.find(({ name }) => name === 'push notifications');
    const line = push && lineOf(spans, push);
    return line?.at(-1)?.startsWith('gateway') ? line : undefined;
  });
  expect(line).toEqual([
    'push notifications',
    'handle status-changed',
    'publish status-changed',
    'outbox status-changed',
    'handle case-observed',
    'publish case-observed',
    'outbox case-observed',
    'take a turn at the agency',
    'cases GET /api/case-status/:receiptNumber',
    'gateway GET /api/case-status/:receiptNumber',
  ]);
});

test('a scheduled check begins a trace of its own', async () => {
  const root = await until('the check', () =>
    product.collector.spans().find(({ name }) => name === 'check due watches'),
  );
  expect(root.parentSpanId).toBeUndefined();
  const ofTheTrace = product.collector.spans().filter(({ traceId }) => traceId === root.traceId);
  expect(ofTheTrace.map(({ name }) => name)).toContain('call agency GET /case-status/{receiptNumber}');
});

test('no trace of a client is continued', async () => {
  const traceId = 'abcdef0123456789abcdef0123456789';
  const answer = await fetch(`${product.url}/api/auth/me`, {
    headers: { traceparent: `00-${traceId}-0123456789abcdef-01` },
  });
  await answer.text();
  const requestId = answer.headers.get('x-request-id') ?? '-';
  const line = await until('the log line', () => product.logs.find((text) => text.includes(requestId)));
  const { trace_id: own } = JSON.parse(line);
  expect(own).toMatch(/^[0-9a-f]{32}$/);
  await until('the span', () => product.collector.spans().find((span) => span.traceId === own));
  expect(product.collector.sent()).not.toContain(traceId);
});

test('a log line says to which trace it belongs', async () => {
  const lines = product.logs.map((line) => JSON.parse(line));
  const lookUp = lines.find(({ msg, route }) => msg === 'request' && route?.startsWith('/api/case-status/'));
  const span = await until('the span', () =>
    product.collector.spans().find(({ spanId }) => spanId === lookUp.span_id),
  );
  expect(span).toMatchObject({
    traceId: lookUp.trace_id,
    name: 'gateway GET /api/case-status/:receiptNumber',
  });
});

test('S7: no receipt number, name, address or user id is in metrics, traces or logs', async () => {
  await until('the refused e-mail', () => product.logs.find((line) => line.includes('smtp-550')));
  const output = {
    metrics: await product.metrics(),
    traces: product.collector.sent(),
    logs: product.logs.join(''),
  };
  const { receiptNumber, firstName, lastName, email } = CANARY;
  for (const [where, text] of Object.entries(output)) {
    expect(text.length, where).toBeGreaterThan(1_000);
    for (const canary of [receiptNumber, firstName, lastName, email, 'canary.test', 'pro@demo.test']) {
      expect(text, where).not.toContain(canary);
    }
  }
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
  expect(output.metrics).not.toMatch(uuid);
  expect(output.traces).not.toMatch(uuid);
});
