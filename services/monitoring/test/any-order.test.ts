import type { EventType } from '@casewatch/contracts/event-type';
import { caseObserved, caseWatchChanged, userDeleted } from '@casewatch/contracts/events';
import { MONITORING_FREQUENCIES } from '@casewatch/contracts/limits';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Monitoring, observation, receipt, startMonitoring, user } from './monitoring-fixture.ts';

/** Watches everything from the beginning to the end. */
const KEEPER = user(9);
const RECEIPTS = [receipt(1), receipt(2)];

interface Delivery {
  readonly event: EventType<never>;
  readonly payload: never;
  readonly atMs: number;
  readonly id: string;
}

let monitoring: Monitoring;
beforeAll(async () => {
  monitoring = await startMonitoring({ withoutInbox: true });
});
afterAll(() => monitoring.stop());

const userId = fc.integer({ min: 1, max: 3 }).map(user);
const receiptNumber = fc.constantFrom(...RECEIPTS);
/** What happens, in the order of time. */
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({ receiptNumber, userId, frequency: fc.constantFrom(...MONITORING_FREQUENCIES) })
      .map((payload) => ({ event: caseWatchChanged as EventType<never>, payload: () => payload as never })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(receiptNumber, fc.constantFrom('Received', 'Reviewed', 'Approved'))
      .map(([of, status]) => ({
        event: caseObserved as EventType<never>,
        payload: (atMs: number) => observation(of, status, atMs, status === 'Approved') as never,
      })),
  },
  {
    weight: 1,
    arbitrary: userId.map((id) => ({
      event: userDeleted as EventType<never>,
      payload: () => ({ userId: id }) as never,
    })),
  },
);

test('events handed over twice, in any order between keys, lead to the same end', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 4, maxLength: 14 }),
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      async (happenings, picks) => {
        const startMs = monitoring.clock.nowMs();
        const deliveries = happenings.map(({ event, payload }, n) => {
          const atMs = startMs + n + 1;
          return { event, payload: payload(atMs), atMs, id: uuidV7(atMs) };
        });
        const expected = await endOf(deliveries);
        expect(await endOf(twiceInSomeOrder(deliveries, picks))).toEqual(expected);
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

/** Every delivery and a copy of it; the order of a type and key is that of a topic read twice from its beginning. */
function twiceInSomeOrder(deliveries: readonly Delivery[], picks: readonly number[]): Delivery[] {
  const perKey = Map.groupBy(deliveries, ({ event, payload }) => `${event.name} ${event.key(payload)}`);
  const queues = [...perKey.values()].map((queue) => [...queue, ...queue]);
  const order: Delivery[] = [];
  for (let n = 0; queues.some((queue) => queue.length > 0); n++) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[(picks[n % picks.length] ?? 0) % waiting.length]?.shift();
    if (next) order.push(next);
  }
  return order;
}

async function endOf(deliveries: readonly Delivery[]) {
  const { database, clock } = monitoring;
  await database.query(
    'TRUNCATE monitoring.watches, monitoring.watchers, monitoring.deleted_users, monitoring.outbox',
  );
  for (const number of RECEIPTS) await monitoring.wish(KEEPER, number, 'monthly', clock.nowMs());
  for (const { event, payload, atMs, id } of deliveries) {
    await monitoring.deliver(event, payload, { atMs, id });
  }
  const published = await monitoring.published();
  return {
    deadLetters: await monitoring.deadLetters(),
    watchers: (await monitoring.watchers()).filter((row) => row.period_days !== null),
    watches: (await monitoring.watches()).map((row) => [
      row.receipt_number,
      row.period_days,
      row.last_status,
      row.terminal,
      row.last_checked_at,
    ]),
    deleted: await database.query('SELECT * FROM monitoring.deleted_users ORDER BY user_id'),
    heardByKeeper: RECEIPTS.map((number) =>
      published.filter((payload) => payload.userId === KEEPER && payload.receiptNumber === number),
    ),
  };
}
