import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import { startProductProcesses } from '@casewatch/dev-stack/processes/product-processes';
import { startTcpProxy, type TcpProxy } from '@casewatch/testing/tcp-proxy';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { expect, test } from 'vitest';
import { registry } from '../../src/registry.ts';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';

/** The product is started before the Kafka that it needs, as on a cluster where both are new. */

/** After the process has begun to answer. */
const KAFKA_COMES_AFTER_MS = 6_000;
const STARTS_WITHIN_MS = 50_000;
const STARTED: readonly string[] = ['notifications'];

test.each(['refuse', 'hang', 'reset'] as const)(
  'R6: while Kafka would %s, starting processes wait without ending or being ready; then all become ready',
  { timeout: TEST_TIMEOUT_MS },
  async (mode) => {
    let proxy: TcpProxy | undefined;
    const kafka = await startOwnTestKafka({
      behind: async (broker) => {
        proxy = await startTcpProxy(broker);
        return proxy.port;
      },
    });
    const database = await createTestDatabase();
    await proxy?.set(mode);
    const ended: string[] = [];
    const port = await freePort();
    const left = [...registry.map(({ name }) => name), 'gateway'].filter((role) => !STARTED.includes(role));
    const starting = startProductProcesses({
      services: registry,
      ownerUrl: database.ownerUrl,
      brokers: kafka.brokers,
      roles: {
        ...Object.fromEntries(left.map((role) => [role, { replicas: 0 }])),
        notifications: { env: { METRICS_PORT: String(port) } },
      },
      onUnexpectedExit: ({ name }, how) => ended.push(`${name}: ${how}`),
    });
    // The failure below is reported first.
    starting.catch(() => undefined);
    // It runs and exposes its metrics: only its readiness waits.
    await mustCome(
      'the metrics',
      async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
        return answer?.status === 200;
      },
      STARTS_WITHIN_MS,
    );
    const first = await Promise.race([starting, delay(KAFKA_COMES_AFTER_MS, 'waiting')]);
    expect({ first, ended }).toEqual({ first: 'waiting', ended: [] });
    await proxy?.set('pass');
    const product = await starting;
    const probes = product.processes.map(async ({ url }) => (await fetch(`${url}/livez`)).status);
    expect(await Promise.all(probes)).toEqual(STARTED.map(() => 200));
    expect(ended).toEqual([]);
    const warnings = product.logs().match(/kafka group: join failed, will retry/g) ?? [];
    expect(warnings.length).toBeLessThanOrEqual(STARTED.length);
    await product.stop();
    await database.drop();
    await kafka.stop();
    await proxy?.stop();
  },
);
