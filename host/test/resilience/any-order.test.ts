import { caseObserved, caseWatchChanged, userChanged, userDeleted } from '@casewatch/contracts/events';
import { MONITORING_FREQUENCIES, type MonitoringFrequency, TIERS } from '@casewatch/contracts/limits';
import type { EventRecord } from '@casewatch/messaging/event-record';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { forThisFile } from '@casewatch/testing/for-this-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startConsumers } from '../faults/consumers.ts';
import { PROPERTY_RUNS, TEST_TIMEOUT_MS } from '../faults/counts.ts';

/** R4: every event delivered twice, in any order between keys, to the consumers of whole services. */

const user = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** Watches everything from the beginning to the end. */
const KEEPER = user(9);
const RECEIPTS = ['EAC0000000002', 'EAC0000000004'];

const consumers = await forThisFile(startConsumers());

const userId = fc.integer({ min: 1, max: 3 }).map(user);
const receiptNumber = fc.constantFrom(...RECEIPTS);
type Happening = (atMs: number) => EventRecord;
/** What happens, in the order of time. */
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({ receiptNumber, userId, frequency: fc.constantFrom(...MONITORING_FREQUENCIES) })
      .map(
        (request) => (atMs: number) => consumers.record(caseWatchChanged, watchRequest(request, atMs), atMs),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ receiptNumber, status: fc.constantFrom('Received', 'Reviewed', 'Approved') })
      .map(({ receiptNumber: of, status }) => (atMs: number) => {
        const observedAt = new Date(atMs).toISOString();
        const answer = { callNumber: String(atMs), outcome: 'observed' as const, source: 'monitor' as const };
        return consumers.record(caseObserved, { receiptNumber: of, status, observedAt, ...answer }, atMs);
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ userId, name: fc.constant('Ada'), tier: fc.constantFrom(...TIERS) })
      .map((payload) => (atMs: number) => {
        // Rises with the time of the happening, within an int32.
        const change = { ...payload, emailChanged: false, version: atMs % 2 ** 31 };
        return consumers.record(userChanged, change, atMs);
      }),
  },
  {
    weight: 1,
    arbitrary: userId.map((id) => (atMs: number) => consumers.record(userDeleted, { userId: id }, atMs)),
  },
);

/** Each begins a watch of its own. */
function watchRequest<Request extends { frequency: MonitoringFrequency }>(request: Request, atMs: number) {
  const version = String(atMs);
  const shown = { callNumber: '0' };
  return request.frequency === 'none'
    ? { ...request, version }
    : { ...request, version, beginning: { version, shown }, shown };
}

/** Each in its order, once. */
const once = (records: readonly EventRecord[]) => [...records];

/** Every record and `again` of it; the order of a type and key is that of a topic read twice from its beginning. */
const twice =
  (picks: readonly number[], again: (record: EventRecord) => EventRecord) =>
  (records: readonly EventRecord[]): EventRecord[] => {
    const perKey = Map.groupBy(records, ({ topic, key }) => `${topic} ${key}`);
    const queues = [...perKey.values()].map((queue) => [...queue, ...queue.map(again)]);
    const order: EventRecord[] = [];
    for (let n = 0; queues.some((queue) => queue.length > 0); n++) {
      const waiting = queues.filter((queue) => queue.length > 0);
      const next = waiting[(picks[n % picks.length] ?? 0) % waiting.length]?.shift();
      if (next) order.push(next);
    }
    return order;
  };

/** What is left when everything is delivered, and what its handlers publish, and so on. */
async function endOf(
  records: readonly EventRecord[],
  deliveries: (records: readonly EventRecord[]) => EventRecord[],
) {
  const { database, clock } = consumers;
  await database.query(
    `TRUNCATE monitoring.watches, monitoring.watchers, monitoring.deleted_users,
       monitoring.inbox, monitoring.outbox, notifications.notifications, notifications.deliveries,
       notifications.digest_changes, notifications.digest_schedules, notifications.recipients, notifications.inbox,
       cases.saved_cases, cases.plans, cases.deleted_users, cases.inbox, cases.outbox`,
  );
  await database.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, monitoring_frequency, created_at)
     SELECT gen_random_uuid(), u, r, 'daily', now() FROM unnest($1::uuid[]) AS u CROSS JOIN unnest($2::text[]) AS r`,
    [[user(1), user(2), user(3)], RECEIPTS],
  );
  for (const number of RECEIPTS) {
    const request = { userId: KEEPER, receiptNumber: number, frequency: 'monthly' as const };
    const payload = watchRequest(request, clock.nowMs());
    await consumers.deliver(consumers.record(caseWatchChanged, payload, clock.nowMs()));
  }
  for (let next = [...records]; next.length > 0; next = await consumers.published()) {
    for (const record of deliveries(next)) await consumers.deliver(record);
  }
  const rows = (sql: string) => database.query(sql);
  return {
    deadLetters: await rows(
      'SELECT error FROM monitoring.dead_letters UNION ALL SELECT error FROM notifications.dead_letters UNION ALL SELECT error FROM cases.dead_letters',
    ),
    saved: await rows(
      'SELECT user_id, receipt_number, monitoring_frequency, monitoring_paused_at IS NOT NULL AS paused FROM cases.saved_cases ORDER BY 1, 2',
    ),
    watchers: await rows(
      'SELECT user_id, receipt_number, period_days FROM monitoring.watchers WHERE period_days IS NOT NULL ORDER BY 1, 2',
    ),
    watches: await rows('SELECT receipt_number, period_days, last_status FROM monitoring.watches ORDER BY 1'),
    erased: await rows(
      'SELECT user_id FROM notifications.recipients WHERE deleted_at IS NOT NULL ORDER BY 1',
    ),
    // Users that begin or stop watching during the story get more or fewer by the order between keys; the keeper gets all.
    notifications: await database.query(
      'SELECT receipt_number, old_status, new_status FROM notifications.notifications WHERE user_id = $1 ORDER BY receipt_number, seq',
      [KEEPER],
    ),
  };
}

const holds = (again: (record: EventRecord) => EventRecord) =>
  fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 4, maxLength: 14 }),
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      async (happenings, picks) => {
        const startMs = consumers.clock.nowMs();
        const records = happenings.map((happens, n) => happens(startMs + n + 1));
        expect(await endOf(records, twice(picks, again))).toEqual(await endOf(records, once));
      },
    ),
    { numRuns: PROPERTY_RUNS, endOnFailure: true },
  );

test('R4: every event delivered twice, in any order between keys, leads whole services to the same end', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await holds((record) => record);
});

test('R4, shown able to fail: a second delivery that is not recognized by its id notifies users twice', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await expect(holds((record) => ({ ...record, id: uuidV7(Date.now()) }))).rejects.toMatchObject({
    message: expect.stringContaining('Property failed'),
    cause: { name: 'AssertionError' },
  });
});
