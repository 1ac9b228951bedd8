import { readFileSync } from 'node:fs';
import {
  type ProductProcesses,
  startProductProcesses,
} from '@casewatch/dev-stack/processes/product-processes';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '../../src/registry.ts';
import { clickToPush, until } from '../telemetry/click-to-push.ts';
import { exportedNames } from '../telemetry/metric-names.ts';
import { attributesOf, lineOf, startOtlpReceiver } from '../telemetry/otlp-receiver.ts';

/** Every role in a process of its own, with Kafka between them: their telemetry fits together. */

/** By the numbers of OTLP's protobuf (opentelemetry/proto/trace/v1, SpanKind). */
const PRODUCER = 4;
const CONSUMER = 5;
const RECEIPT_NUMBER = 'LIN9182736450';

let database: TestDatabase;
let collector: Awaited<ReturnType<typeof startOtlpReceiver>>;
let product: ProductProcesses;
beforeAll(async () => {
  database = await createTestDatabase();
  collector = await startOtlpReceiver();
  product = await startProductProcesses({
    services: registry,
    ownerUrl: database.ownerUrl,
    brokers: await testKafkaBrokers(),
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      DEMO_ACCOUNTS: 'true',
      FRESHNESS_SECONDS: '0',
    },
  });
  await clickToPush({
    url: product.url,
    agencyUrl: product.agency?.url ?? '',
    receiptNumber: RECEIPT_NUMBER,
  });
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await collector?.stop();
  await database.drop();
}, 60_000);

test('one trace leads from the click through every process and Kafka to the push', async () => {
  const line = await until('the push and all before it', () => {
    const spans = collector.spans();
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
  const push = collector.spans().find(({ name }) => name === 'push notifications');
  const ofTheTrace = collector.spans().filter(({ traceId }) => traceId === push?.traceId);
  const processes = new Set(ofTheTrace.map((span) => span.process));
  for (const role of ['gateway', 'cases', 'monitoring', 'notifications']) {
    expect(processes).toContain(`casewatch-${role}`);
  }
}, 60_000);

test('a relay traces what it publishes as a producer, and its consumers continue the trace', async () => {
  const { publish, handle } = await until('an event from its relay to its consumer', () => {
    const spans = collector.spans();
    const handle = spans.find(({ name }) => name === 'handle status-changed');
    const publish = spans.find(({ spanId }) => spanId === handle?.parentSpanId);
    return handle && publish && { publish, handle };
  });
  const messaging = { 'messaging.system': 'kafka', 'messaging.destination.name': 'status-changed' };
  expect(publish).toMatchObject({ name: 'publish status-changed', kind: PRODUCER });
  expect(attributesOf(publish)).toMatchObject({
    ...messaging,
    'messaging.operation.type': 'send',
  });
  expect(handle.kind).toBe(CONSUMER);
  expect(attributesOf(handle)).toMatchObject({ ...messaging, 'messaging.operation.type': 'process' });
}, 60_000);

test('the trace of a scheduled check begins in monitoring and continues in cases', async () => {
  const line = await until('the check', () => {
    const spans = collector.spans();
    const check = spans.find(({ name }) => name === 'cases POST /internal/cases/check');
    const line = check && lineOf(spans, check);
    return line && line.length > 2 ? line : undefined;
  });
  expect(line).toEqual([
    'cases POST /internal/cases/check',
    'call cases POST /internal/cases/check',
    'check due watches',
  ]);
}, 60_000);

test('each service exposes its metrics on its own port, with the lag of its group; the gateway does not', async () => {
  const role = (name: 'monitoring' | 'gateway') => `${product.of(name)[0]?.url}/metrics`;
  await until('the first look at the lag', async () => {
    const text = await (await fetch(role('monitoring'))).text();
    return text.includes('casewatch_consumer_lag{group="monitoring"} 0') ? text : undefined;
  });
  const exported = exportedNames(await (await fetch(role('monitoring'))).text());
  for (const name of [
    'casewatch_outbox_depth',
    'casewatch_dead_letters',
    'casewatch_topics_with_few_partitions',
    'casewatch_watches',
  ]) {
    expect(exported).toContain(name);
  }
  const ofCases = await (await fetch(`${product.of('cases')[0]?.url}/metrics`)).text();
  expect(ofCases).toContain('service="cases"');
  const ofTheGateway = await fetch(role('gateway'));
  expect(ofTheGateway.status).toBe(404);
}, 60_000);

/** Roles by the metric that CasewatchMetricsMissing wants of them. */
const NEEDED = [
  ...readFileSync(new URL('../../../charts/casewatch/files/alerts.yaml', import.meta.url), 'utf8').matchAll(
    /up\{[^}]*role=~"([^"]+)"\} == 1\) unless .*?"metric", "(\w+)"/g,
  ),
].map(([, roles = '', metric = '']) => [metric, roles.split('|')] as const);

test.each(NEEDED)(
  'a healthy role reports %s, so that CasewatchMetricsMissing does not fire for %j',
  async (metric, roles) => {
    for (const role of roles) {
      const process = product.processes.find((one) => one.role === role);
      await until(`${metric} of ${role}`, async () => {
        const names = exportedNames(await (await fetch(`${process?.url}/metrics`)).text());
        return names.has(metric) || undefined;
      });
    }
  },
);

test('what CasewatchMetricsMissing wants was read from its expression', () => {
  expect(NEEDED.length).toBeGreaterThan(10);
});

test('S7: the receipt number is in no trace and no log', async () => {
  expect(collector.sent().length).toBeGreaterThan(1_000);
  expect(collector.sent()).not.toContain(RECEIPT_NUMBER);
  expect(product.logs()).not.toContain(RECEIPT_NUMBER);
  expect(product.logs()).toContain('"trace_id":');
});
