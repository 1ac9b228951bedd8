import { randomUUID } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createRedisCallQueues } from '@casewatch/shared-state/call-queues/redis-call-queues';
import { connectedRedis } from '@casewatch/testing/connected-redis';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADA, BOB, PAT, startCases } from '../cases-fixture.ts';

const SLOW_MACHINE_MS = 30_000;
const CASE = 'EAC9999103403';

test('while Redis is down rows equal lookups: none is missing, none doubled, each with its reason', async () => {
  const server = await startOwnTestRedis();
  const redis = await connectedRedis(server.url);
  const database = await createTestDatabase();
  onTestFinished(async () => {
    redis.disconnect();
    await server.stop();
    await database.drop();
  });
  const callQueues = createRedisCallQueues({
    redis,
    prefix: `casewatch-test-${randomUUID()}:`,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  const cases = await startCases({ clock: systemClock, database, callQueues });
  let isStopped = false;
  onTestFinished(async () => {
    if (!isStopped) await cases.stop();
  });

  await cases.found(CASE, ADA);
  await server.stop();
  const single = ['EAC1000000010', 'EAC1000000012', 'EAC1000000014'];
  const bulk = ['SRC2190010000', 'SRC2190010002'];
  const scheduled = ['LIN2190020002', 'LIN2190020004'];
  const answers = await Promise.all(single.map((receiptNumber) => cases.lookUp(receiptNumber, BOB)));
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
  await cases.found(CASE, BOB);
  await cases.bulk(bulk, PAT);
  const checked = await cases.check(scheduled);
  expect(checked.map(({ outcome }) => outcome)).toEqual(['no-budget', 'no-budget']);

  const rowsOf = () => cases.logged();
  await vi.waitFor(async () => expect((await rowsOf()).length).toBeGreaterThanOrEqual(9), SLOW_MACHINE_MS);
  // What a stopping service still writes is counted, too.
  await cases.stop();
  isStopped = true;
  const rows = await rowsOf();
  expect(
    rows.map(({ receiptNumbers: [receiptNumber], outcome }) => `${receiptNumber} ${outcome}`).sort(),
  ).toEqual(
    [
      `${CASE} answered`,
      `${CASE} stored`,
      ...[...single, ...bulk, ...scheduled].map((receiptNumber) => `${receiptNumber} error`),
    ].sort(),
  );
  for (const row of rows.filter(({ outcome }) => outcome === 'error')) {
    expect(row).toMatchObject({ code: 'budget-unavailable', agencyCalls: 0, success: false });
  }
});
