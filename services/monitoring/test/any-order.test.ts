import type { EventType } from '@casewatch/contracts/event-type';
import { caseObserved, caseWatchChanged, userDeleted } from '@casewatch/contracts/events';
import { MONITORING_FREQUENCIES } from '@casewatch/contracts/limits';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, type Monitoring, observation, receipt, startMonitoring, user } from './monitoring-fixture.ts';

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

const ADA = user(11);
const BOB = user(12);
const STATUSES = ['Received', 'Reviewed', 'Approved'] as const;
/** What happens to one case between its first status and the last check, each once: `observed` is the next status. */
type Step = 'observed' | 'ada off' | 'ada on' | 'bob on';
const CHANGES: readonly Step[] = ['observed', 'observed'];
const ADA_TURNS: readonly Step[] = ['ada off', 'ada on'];

/** Ways to put the two together that keep the order within each. */
function mergesOf<One>(a: readonly One[], b: readonly One[]): One[][] {
  const [firstOfA, ...restOfA] = a;
  const [firstOfB, ...restOfB] = b;
  if (firstOfA === undefined || firstOfB === undefined) return [[...a, ...b]];
  return [
    ...mergesOf(restOfA, b).map((rest) => [firstOfA, ...rest]),
    ...mergesOf(a, restOfB).map((rest) => [firstOfB, ...rest]),
  ];
}

interface Story {
  /** In the order of time, which is that of each topic. */
  readonly happened: readonly Step[];
  readonly handled: readonly Delivery[];
  readonly receiptNumber: string;
  /** Who watches from the beginning on; others begin with a step. */
  readonly first: readonly string[];
}

/** Every order of what happens, and for each every order in which the two topics are read. */
function storiesOf(wishes: readonly Step[], first: readonly string[], firstReceipt: number): Story[] {
  const startMs = monitoring.clock.nowMs();
  return mergesOf(wishes, CHANGES)
    .flatMap((happened) => {
      const positions = happened.map((_, n) => n);
      const isObserved = (n: number) => happened[n] === 'observed';
      return mergesOf(
        positions.filter((n) => !isObserved(n)),
        positions.filter(isObserved),
      ).map((order) => ({ happened, order }));
    })
    .map(({ happened, order }, nth) => {
      const receiptNumber = receipt(firstReceipt + nth);
      const handled = order.map((n) => deliveryOf(happened, n, receiptNumber, startMs));
      return { happened, handled, receiptNumber, first };
    });
}

function deliveryOf(happened: readonly Step[], n: number, receiptNumber: string, startMs: number): Delivery {
  const atMs = startMs + n + 1;
  const common = { atMs, id: uuidV7(atMs) };
  const shown = shownAt(happened, n, startMs);
  if (happened[n] === 'observed') {
    const next = observation(receiptNumber, STATUSES[shown.nth + 1] ?? '', atMs);
    return { ...common, event: caseObserved as EventType<never>, payload: next as never };
  }
  const userId = happened[n] === 'bob on' ? BOB : ADA;
  const wish =
    happened[n] === 'ada off'
      ? { userId, receiptNumber, frequency: 'none' }
      : { userId, receiptNumber, frequency: 'daily', known: shown.known };
  return { ...common, event: caseWatchChanged as EventType<never>, payload: wish as never };
}

/** What the list shows at the nth step: cases stores the newest observation before it publishes it. */
function shownAt(happened: readonly Step[], n: number, startMs: number) {
  const before = happened.slice(0, n);
  const nth = before.filter((step) => step === 'observed').length;
  const observedAt = new Date(startMs + before.lastIndexOf('observed') + 1).toISOString();
  return { nth, known: { status: STATUSES[nth] ?? '', observedAt } };
}

/** Delivers a story, and then what the next check finds. Resolves to the notifications of the two users. */
async function notificationsOf({ handled, receiptNumber, first }: Story) {
  const startMs = monitoring.clock.nowMs();
  const known = { status: STATUSES[0], observedAt: new Date(startMs).toISOString() };
  for (const userId of first) {
    const wish = { userId, receiptNumber, frequency: 'daily' as const, known };
    await monitoring.deliver(caseWatchChanged, wish, { atMs: startMs });
  }
  for (const { event, payload, atMs, id } of handled) {
    await monitoring.deliver(event, payload, { atMs, id });
  }
  await monitoring.observe(receiptNumber, STATUSES[2], { atMs: startMs + HOUR });
  const published = await monitoring.database.query<{ payload: Record<string, string> }>(
    `SELECT payload FROM monitoring.outbox WHERE topic = 'status-changed' AND key = $1 ORDER BY seq`,
    [receiptNumber],
  );
  const changes = published.map(({ payload }) => payload);
  const of = (userId: string) =>
    changes.flatMap((change) => (change.userId === userId ? `${change.newStatus}` : []));
  return { ada: of(ADA), bob: of(BOB) };
}

test('a watch that is turned on, off and on again, in any order with observations, repeats and loses no notification of any watcher', {
  timeout: 60_000,
}, async () => {
  const stories = [
    ...storiesOf(ADA_TURNS, [ADA, BOB], 100),
    ...storiesOf(['bob on', ...ADA_TURNS], [ADA], 1_000),
    ...storiesOf(['ada off', 'bob on', 'ada on'], [ADA], 2_000),
    ...storiesOf([...ADA_TURNS, 'bob on'], [ADA], 3_000),
    ...storiesOf(['ada on', 'bob on'], [], 4_000),
  ];
  const faults: unknown[] = [];
  const check = async (story: Story) => {
    const { ada, bob } = await notificationsOf(story);
    const isOnce = (turnedOn: Step, told: readonly string[]) => {
      const { nth } = shownAt(story.happened, story.happened.indexOf(turnedOn), 0);
      const hasSeen =
        story.happened.includes('ada off') && turnedOn === 'ada on' ? [] : STATUSES.slice(0, nth + 1);
      return (
        new Set([...hasSeen, ...told]).size === hasSeen.length + told.length &&
        [STATUSES[nth], ...told].includes(STATUSES[2])
      );
    };
    const isFine =
      isOnce('ada on', ada) &&
      (story.first.includes(BOB) ? `${bob}` === `${STATUSES.slice(1)}` : isOnce('bob on', bob));
    if (isFine) return;
    const handled = story.handled.map(({ atMs }) => story.happened[atMs - monitoring.clock.nowMs() - 1]);
    faults.push({ happened: `${story.happened}`, handled: `${handled}`, first: story.first, ada, bob });
  };
  for (let n = 0; n < stories.length; n += 10) await Promise.all(stories.slice(n, n + 10).map(check));
  expect(stories).toHaveLength(372);
  expect(faults).toEqual([]);
  expect(await monitoring.deadLetters()).toEqual([]);
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
