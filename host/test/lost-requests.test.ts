import { caseWatchChanged, caseWatchesListed } from '@casewatch/contracts/events';
import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { registry } from '../src/registry.ts';
import { loadServices } from '../src/roles.ts';

/** R17: cases and monitoring with their databases; between them any request is lost, late or doubled, for a week. */

const RECEIPTS = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const logger = pino({ level: 'silent' });

type Parts = Awaited<ReturnType<typeof start>>;
const parts = await forThisFile(start());

async function start() {
  const clock = createManualClock();
  const database = await createTestDatabase();
  const [casesService, monitoringService] = await loadServices(
    registry.filter(({ name }) => name === 'cases' || name === 'monitoring'),
  );
  if (!casesService || !monitoringService) throw new Error('two services');
  const env = { AGENCY_CLIENT_ID: 'unused', AGENCY_CLIENT_SECRET: 'unused' };
  const bus = createOutboxPublisher({ clock });
  const cases = await startTestService(casesService, { clock, database, bus, env });
  const monitoring = await startTestService(monitoringService, { clock, database, bus });
  const toMonitoring = createGroupConsumer({
    group: 'monitoring',
    handlers: monitoring.service.consumers,
    pool: database.openPool('monitoring', 4),
    clock,
    logger,
    policy: { ...defaultPolicy, retryDelaysMs: [] },
  });
  const job = cases.service.jobs.find(({ name }) => name === 'publish-watch-lists');
  if (!job) throw new Error('cases lists no watches');
  job.start();

  /** Takes what cases has published since, in order; the outbox is empty then. */
  const take = () =>
    database.query<{ id: string; topic: string; key: string; payload: unknown; at: string }>(
      `WITH taken AS (
         UPDATE cases.outbox SET done_at = now() WHERE done_at IS NULL
         RETURNING seq, id::text, topic, key, payload, headers->>'ce_time' AS at)
       SELECT * FROM taken WHERE topic IN ($1, $2) ORDER BY seq`,
      [caseWatchChanged.name, caseWatchesListed.name],
    );
  const deliver = ({ at, ...event }: Awaited<ReturnType<typeof take>>[number]) =>
    toMonitoring.dispatch({ ...event, headers: { ce_time: at } });

  return {
    clock,
    database,
    take,
    deliver,
    /** Resolves when the lists that are due have been delivered, however long a pass takes on this machine. */
    async listDue() {
      for (;;) {
        const due = await database.query(
          'SELECT FROM cases.watch_lists WHERE listed_at IS NULL OR listed_at <= $1',
          [new Date(clock.nowMs() - 6 * DAY_MS)],
        );
        for (const event of await take()) await deliver(event);
        if (due.length === 0) return;
        await clock.advance(1_000);
      }
    },
    send: (userId: string, method: string, path: string, body?: unknown) =>
      cases.call(method, `/api/saved-cases${path}`, {
        as: { userId, tier: 'pro' },
        ...(body ? { body } : {}),
      }),
    async running(userId: string) {
      const answer = await monitoring.call('GET', '/api/watches', { as: { userId } });
      const list = (await answer.json()) as { receiptNumber: string; frequency: string }[];
      return Object.fromEntries(list.map(({ receiptNumber, frequency }) => [receiptNumber, frequency]));
    },
    async stop() {
      await job.stop();
      await toMonitoring.stop();
      await cases.stop();
      await monitoring.stop();
      await database.drop();
    },
  };
}

const step = fc.record({
  receipt: fc.constantFrom(...RECEIPTS),
  act: fc.constantFrom<MonitoringFrequency | 'remove' | 'restore'>(
    ...(['none', 'daily', 'weekly', 'monthly', 'remove', 'restore'] as const),
  ),
  /** What becomes of what is published by then. */
  way: fc.constantFrom('delivered', 'lost', 'late', 'twice'),
});

test('R17: whatever requests are lost or overtaken, within a week what runs is what the user chose, without an act', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const userId = crypto.randomUUID();
      const chosen = new Map<string, MonitoringFrequency>();
      const saved = new Set(RECEIPTS);
      const late: Awaited<ReturnType<Parts['take']>> = [];
      for (const receiptNumber of RECEIPTS) await parts.send(userId, 'POST', '', { receiptNumber });
      for (const { receipt, act, way } of steps) {
        if (act === 'remove' || act === 'restore') {
          const isSaved = act === 'restore';
          await parts.send(userId, 'POST', '/bulk', { action: act, receiptNumbers: [receipt] });
          if (isSaved) saved.add(receipt);
          else saved.delete(receipt);
        } else if (saved.has(receipt)) {
          await parts.send(userId, 'PATCH', `/${receipt}`, { monitoringFrequency: act });
          chosen.set(receipt, act);
        }
        const published = await parts.take();
        if (way === 'late') late.push(...published);
        if (way === 'delivered' || way === 'twice') for (const event of published) await parts.deliver(event);
        if (way === 'twice') for (const event of published) await parts.deliver(event);
      }
      for (const event of late.toReversed()) await parts.deliver(event);
      for (let hour = 0; hour < 7 * 24; hour += 6) {
        await parts.clock.advance(6 * HOUR_MS);
        await parts.listDue();
      }
      const expected = [...saved].flatMap((receipt) => {
        const frequency = chosen.get(receipt) ?? 'none';
        return frequency === 'none' ? [] : [[receipt, frequency]];
      });
      expect(await parts.running(userId)).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: 15 },
  );
});

test('a list that waits because other events do comes once they are handled, at the latest within a day and a week', async () => {
  const userId = crypto.randomUUID();
  await parts.send(userId, 'POST', '', { receiptNumber: RECEIPTS[0], monitoringFrequency: 'daily' });
  // Nothing is taken: the outbox is not empty.
  for (let day = 0; day < 3; day++) await parts.clock.advance(DAY_MS);
  const own = (events: readonly { payload: unknown }[]) =>
    events.filter(({ payload }) => (payload as { userId: string }).userId === userId);
  expect(own(await parts.take())).toMatchObject([{ topic: caseWatchChanged.name }]);
  await parts.clock.advance(60_000);
  await expect
    .poll(async () => {
      await parts.clock.advance(10_000);
      return own(await parts.take()).length;
    })
    .toBe(1);
});
