import type { EventType } from '@casewatch/contracts/event-type';
import { caseObserved, caseWatchChanged, caseWatchesListed, userDeleted } from '@casewatch/contracts/events';
import { MONITORING_FREQUENCIES } from '@casewatch/contracts/limits';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { forThisFile } from '@casewatch/testing/for-this-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frequencyOf } from '../src/domain/check-times.ts';
import type { Answer, WatchRequest } from '../src/domain/watch-rules.ts';
import { observation, receipt, request, type Shown, startMonitoring, user } from './monitoring-fixture.ts';
import { type Notified, type Step, type StoryEvent, storyOf, USERS, type User } from './stories.ts';

/** Watches everything from the beginning to the end. */
const KEEPER = user(9);
const RECEIPTS = [receipt(1), receipt(2)];
const STORIES = 300;

interface Delivery {
  readonly event: EventType<never>;
  readonly payload: never;
  readonly id: string;
}

const monitoring = await forThisFile(startMonitoring({ withoutInbox: true }));

const userId = fc.integer({ min: 1, max: 3 }).map(user);
const receiptNumber = fc.constantFrom(...RECEIPTS);
/** What happens, in the order of numbers. */
const happening = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(userId, receiptNumber, fc.constantFrom(...MONITORING_FREQUENCIES))
      .map(([id, of, frequency]) => ({
        event: caseWatchChanged as EventType<never>,
        payload: (version: number) => request(id, of, frequency, { version }) as never,
      })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(receiptNumber, fc.constantFrom('Received', 'Reviewed', 'Approved'))
      .map(([of, status]) => ({
        event: caseObserved as EventType<never>,
        payload: (call: number) => observation(of, status, call, monitoring.clock.nowMs()) as never,
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
        const deliveries = happenings.map(({ event, payload }, n) => ({
          event,
          payload: payload(n + 1),
          id: uuidV7(monitoring.clock.nowMs()),
        }));
        const expected = await endOf(deliveries);
        expect(await endOf(twiceInSomeOrder(deliveries, picks))).toEqual(expected);
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test('of 300 stories with pauses, losses, repetitions and overtaking none misses or doubles a change in the database', {
  timeout: 60_000,
}, async () => {
  const wrong: unknown[] = [];
  const check = async (seed: number) => {
    const story = storyOf(seed);
    const steps = await replay(story.handled, seed);
    const problem = story.judge(steps, await watched(seed));
    if (problem) wrong.push({ seed, problem, steps });
  };
  const seeds = Array.from({ length: STORIES }, (_, seed) => seed);
  for (let n = 0; n < STORIES; n += 10) await Promise.all(seeds.slice(n, n + 10).map(check));
  expect(wrong).toEqual([]);
  expect(await monitoring.deadLetters()).toEqual([]);
});

/** Each story has a case and users of its own. */
const caseOf = (seed: number) => receipt(1_000 + seed);
const userOf = (seed: number, name: User) => user(10_000 + seed * USERS.length + USERS.indexOf(name));

async function replay(handled: readonly StoryEvent[], seed: number): Promise<Step[]> {
  const steps: Step[] = [];
  let published = 0;
  for (const event of handled) {
    await deliver(event, seed);
    const rows = await monitoring.database.query<{ payload: Record<string, string> }>(
      `SELECT payload FROM monitoring.outbox WHERE topic = 'status-changed' AND key = $1 ORDER BY seq OFFSET $2`,
      [caseOf(seed), published],
    );
    published += rows.length;
    const notified = rows.map(({ payload }): Notified => {
      const name = USERS.find((one) => userOf(seed, one) === payload.userId) ?? 'ada';
      const { oldStatus, newStatus = '', callNumber = '' } = payload;
      return { user: name, oldStatus, newStatus, call: BigInt(callNumber) };
    });
    steps.push({ event, notified });
  }
  return steps;
}

async function deliver(event: StoryEvent, seed: number): Promise<void> {
  const of = caseOf(seed);
  if (event.topic === 'answers') {
    await monitoring.observe(of, event.answer.status, event.answer.call);
  } else if (event.topic === 'requests') {
    const { version, periodDays, beginning, shown } = event.request;
    await monitoring.requestWatch(userOf(seed, event.user), of, frequencyOf(periodDays), {
      version,
      ...(beginning ? { began: beginning.version, known: toShown(beginning.shown) } : {}),
      ...(shown ? { shown: toShown(shown) } : {}),
    });
  } else {
    await monitoring.deliver(caseWatchesListed, {
      userId: userOf(seed, event.user),
      version: String(event.version),
      watches: event.watch ? [listed(of, event.watch)] : [],
    });
  }
}

function listed(of: string, { version, periodDays, beginning }: WatchRequest) {
  const began = beginning ?? { version: 0n, shown: { status: undefined, call: 0n } };
  const { status, call } = began.shown;
  return {
    receiptNumber: of,
    frequency: frequencyOf(periodDays),
    version: String(version),
    beginning: {
      version: String(began.version),
      shown: { callNumber: String(call), ...(status === undefined ? {} : { status }) },
    },
  };
}

const toShown = ({ status, call }: Answer): Shown => ({
  call,
  ...(status === undefined ? {} : { status }),
});

async function watched(seed: number): Promise<Map<User, number>> {
  const rows = await monitoring.database.query<{ user_id: string; period_days: number }>(
    'SELECT user_id, period_days FROM monitoring.watchers WHERE receipt_number = $1 AND period_days IS NOT NULL',
    [caseOf(seed)],
  );
  return new Map(
    USERS.flatMap((name) => {
      const row = rows.find(({ user_id }) => user_id === userOf(seed, name));
      return row ? [[name, row.period_days] as const] : [];
    }),
  );
}

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
  const { database } = monitoring;
  await database.query(
    'TRUNCATE monitoring.watches, monitoring.watchers, monitoring.deleted_users, monitoring.outbox',
  );
  for (const number of RECEIPTS) await monitoring.requestWatch(KEEPER, number, 'monthly');
  for (const { event, payload, id } of deliveries) await monitoring.deliver(event, payload, { id });
  const published = await monitoring.published();
  return {
    deadLetters: await monitoring.deadLetters(),
    watchers: (await monitoring.watchers()).filter((row) => row.period_days !== null),
    watches: (await monitoring.watches()).map((row) => [
      row.receipt_number,
      row.period_days,
      row.last_status,
      row.last_checked_at,
    ]),
    deleted: await database.query('SELECT * FROM monitoring.deleted_users ORDER BY user_id'),
    heardByKeeper: RECEIPTS.map((number) =>
      published.filter((payload) => payload.userId === KEEPER && payload.receiptNumber === number),
    ),
  };
}
