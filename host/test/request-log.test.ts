import { startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';
import type { ApiLog } from '@casewatch/contracts/admin-log';
import { checkCases } from '@casewatch/contracts/check-cases';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { registry } from '../src/registry.ts';
import { loadServices } from '../src/roles.ts';

/** Cases and admin-log with their databases and the outbox between them: what the log shows of lookups and checks. */

const DAY_MS = 86_400_000;
const NUMBERS = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405'];
const ADMIN = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';
const CLIENT = { clientId: 'id', clientSecret: 'secret' };

const parts = await forThisFile(start());

async function start() {
  const clock = createManualClock();
  const database = await createTestDatabase();
  const agency = await startAgencySimulator({ ...CLIENT, port: 0, control: true, callsPerSecond: 1_000 });
  const services = await loadServices(registry);
  const named = (wanted: string) => services.find(({ name }) => name === wanted) ?? expect.fail(wanted);
  const cases = await startTestService(named('cases'), {
    clock,
    database,
    env: {
      AGENCY_BASE_URL: agency.url,
      AGENCY_CLIENT_ID: CLIENT.clientId,
      AGENCY_CLIENT_SECRET: CLIENT.clientSecret,
      AGENCY_CALLS_PER_SECOND: '1000',
      AGENCY_CALLS_PER_DAY: '100000',
    },
  });
  const log = await startTestService(named('admin-log'), { clock, database });
  const consumer = createGroupConsumer({
    group: 'admin-log',
    handlers: log.service.consumers,
    pool: database.openPool('admin-log', 4),
    clock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, retryDelaysMs: [] },
  });
  return {
    clock,
    check: async () => {
      const body = { receiptNumbers: NUMBERS };
      const answer = await cases.call('POST', checkCases.path, { body });
      expect(answer.status).toBe(200);
    },
    move: (number: string, status: string) =>
      fetch(`${agency.url}/__control/cases/${number}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      }),
    /** Hands over what cases has published, the newest first and each event twice: no order is kept between rows. */
    async relay() {
      const rows = await database.query<{
        id: string;
        topic: string;
        key: string;
        payload: unknown;
        at: string;
      }>(
        `SELECT id::text, topic, key, payload, headers->>'ce_time' AS at FROM cases.outbox
         WHERE topic = 'lookups-recorded' ORDER BY seq DESC`,
      );
      for (const { at, ...event } of [...rows, ...rows])
        await consumer.dispatch({ ...event, headers: { ce_time: at } });
    },
    async rowsOf(number: string): Promise<ApiLog[]> {
      const answer = await log.call('GET', `/api/admin/logs?receiptNumber=${number}`, {
        adminSession: ADMIN,
      });
      return ((await answer.json()) as { logs: ApiLog[] }).logs;
    },
    stored: async (table: string) => {
      const [row] = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
      return row?.count;
    },
    async stop() {
      await consumer.stop();
      await cases.stop();
      await log.stop();
      await agency.stop();
      await database.drop();
    },
  };
}

test('every check is in the log once with the agency’s answer, in whatever order and however often events come, and each text is stored once', async () => {
  const days = 5;
  for (let day = 1; day <= days; day += 1) {
    if (day === 4) await parts.move(NUMBERS[0] ?? '', 'Case Was Denied');
    await parts.check();
    await parts.clock.advance(DAY_MS);
  }
  await parts.relay();
  expect(await parts.stored('admin_log.calls')).toBe(NUMBERS.length * days);
  expect(await parts.stored('admin_log.payloads')).toBe(NUMBERS.length + 1);
  for (const number of NUMBERS) {
    const rows = await parts.rowsOf(number);
    expect(rows).toHaveLength(days);
    for (const [age, row] of rows.entries()) {
      expect(row).toMatchObject({
        source: 'monitor',
        outcome: 'answered',
        requestPayload: { receiptNumber: number },
      });
      expect(row.responsePayload).toContain(`"receiptNumber":"${number}"`);
      const isDenied = number === NUMBERS[0] && age < 2;
      expect(row.responsePayload?.includes('Case Was Denied')).toBe(isDenied);
    }
  }
});
