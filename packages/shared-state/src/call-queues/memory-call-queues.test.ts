import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallQueue, CallRefusal, type Participant } from './call-queue.ts';
import { createMemoryCallQueues } from './memory-call-queues.ts';

const ADA: Participant = { kind: 'user', id: 'ada', weight: 1 };
const SCHEDULED: Participant = { kind: 'scheduled' };
const START_MS = Date.parse('2026-01-05T12:00:00Z');

/** `jumpMs` moves the wall clock without any time going by. */
function queueOf({ calls = 5, jumpMs = () => 0 }: { calls?: number; jumpMs?: () => number } = {}) {
  const clock = createManualClock(START_MS);
  const wall: Clock = { nowMs: () => clock.nowMs() + jumpMs(), sleep: clock.sleep };
  const queues = createMemoryCallQueues(wall);
  const rule = { name: 'agency', calls, windowMs: 1_001, leaseMs: 2_000, scheduledShare: 0.5 };
  return { clock, queue: queues(rule) };
}

/** How long a call is in flight, and after what share of that it arrives. */
interface Trip {
  lastsMs: number;
  arrivesAfter: number;
}
const trip = (longestMs: number): fc.Arbitrary<Trip> =>
  fc.record({
    lastsMs: fc.integer({ min: 0, max: longestMs }),
    arrivesAfter: fc.double({ min: 0, max: 1, noNaN: true }),
  });

/** Makes calls one after the other and remembers when each arrived at the agency. */
function keepCalling(queue: CallQueue, clock: Clock, trips: readonly Trip[], who = ADA) {
  const arrivals: number[] = [];
  let going = true;
  const worker = async () => {
    for (let nth = 0; going; nth += 1) {
      const { lastsMs, arrivesAfter } = trips[nth % trips.length] ?? { lastsMs: 0, arrivesAfter: 0 };
      const lease = await queue.take(who, 600_000);
      arrivals.push(clock.nowMs() + lastsMs * arrivesAfter);
      if (lastsMs > 0) await clock.sleep(lastsMs);
      lease.done();
    }
  };
  return { arrivals, start: () => void worker().catch(() => undefined), end: () => (going = false) };
}

/** Times are cut to whole milliseconds, as the agency's clock may cut them anywhere. */
const mostInAnySecond = (times: readonly number[]) =>
  Math.max(
    0,
    ...[0, 0.25, 0.5, 0.75].flatMap((offset) => {
      const seen = times.map((at) => Math.floor(at + offset));
      return seen.map((from) => seen.filter((at) => at >= from && at < from + 1_000).length);
    }),
  );

test('wherever calls arrive between their sending and their answer, no one-second window holds more than N', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(trip(1_900), { minLength: 5, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 20, maxLength: 40 }),
      async (calls, trips, steps) => {
        const { clock, queue } = queueOf({ calls });
        const workers = Array.from({ length: calls * 3 }, (_, nth) =>
          keepCalling(queue, clock, [...trips.slice(nth % trips.length), ...trips]),
        );
        for (const worker of workers) worker.start();
        await clock.advance(0);
        for (const step of steps) await clock.advance(step);
        for (const worker of workers) worker.end();
        const arrivals = workers.flatMap((worker) => worker.arrivals);
        expect(arrivals.length).toBeGreaterThan(0);
        expect(mostInAnySecond(arrivals)).toBeLessThanOrEqual(calls);
        queue.stop();
      },
    ),
    { numRuns: 40 },
  );
});

test.each([0, 15, 300])(
  'with answers after %i ms, work that is due uses all that a second and the answer leave',
  async (lastsMs) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 30, maxLength: 60 }),
        async (calls, steps) => {
          const { clock, queue } = queueOf({ calls });
          const workers = Array.from({ length: calls * 3 }, () =>
            keepCalling(queue, clock, [{ lastsMs, arrivesAfter: 1 }]),
          );
          for (const worker of workers) worker.start();
          await clock.advance(0);
          const startedAt = clock.nowMs();
          for (const step of steps) await clock.advance(step);
          const elapsedMs = clock.nowMs() - startedAt;
          for (const worker of workers) worker.end();
          const made = workers.flatMap((worker) => worker.arrivals).length;
          expect(made).toBeGreaterThanOrEqual(calls * Math.ceil(elapsedMs / (1_001 + lastsMs)));
          // Prompt answers: at least 98 % of what the agency allows.
          if (lastsMs <= 15) {
            expect(made).toBeGreaterThanOrEqual(Math.floor((calls * elapsedMs * 0.98) / 1_000));
          }
          queue.stop();
        },
      ),
      { numRuns: 30 },
    );
  },
);

test('calls that come at any times never exceed the window', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 400 }),
          participant: fc.constantFrom<Participant>(
            ADA,
            { kind: 'user', id: 'bob', weight: 4 },
            { kind: 'scheduled' },
          ),
          withinMs: fc.integer({ min: 0, max: 2_500 }),
          lastsMs: fc.integer({ min: 0, max: 900 }),
        }),
        { maxLength: 80 },
      ),
      async (calls) => {
        const { clock, queue } = queueOf({ calls: 3 });
        const arrivals: number[] = [];
        const waits: Promise<void>[] = [];
        const make = async ({ participant, withinMs, lastsMs }: (typeof calls)[number]) => {
          const askedMs = clock.nowMs();
          const lease = await queue.take(participant, withinMs).catch((refusal) => refusal);
          // Refused at its own deadline, not at another ticket's.
          expect(clock.nowMs() - askedMs).toBeLessThanOrEqual(withinMs + 1);
          if (lease instanceof CallRefusal) return;
          if (lastsMs > 0) await clock.sleep(lastsMs);
          arrivals.push(clock.nowMs());
          lease.done();
        };
        for (const next of calls) {
          await clock.advance(next.afterMs);
          waits.push(make(next));
          await clock.advance(0);
        }
        await clock.advance(20_000);
        await Promise.all(waits);
        expect(mostInAnySecond(arrivals)).toBeLessThanOrEqual(3);
        queue.stop();
      },
    ),
    { numRuns: 60 },
  );
});

test('a slot is free a second after the answer, not after the sending; done twice is done once', async () => {
  const { clock, queue } = queueOf({ calls: 1 });
  const lease = await queue.take(ADA, 0);
  await clock.advance(1_500);
  lease.done();
  await clock.advance(900);
  lease.done();
  await expect(queue.take(ADA, 100)).rejects.toMatchObject({ retryAfterMs: 101 });
  await clock.advance(101);
  await queue.take(ADA, 0);
});

test('a call that hangs frees its slot after two seconds and one', async () => {
  const { clock, queue } = queueOf({ calls: 1 });
  const hanging = await queue.take(ADA, 0);
  let granted = false;
  void queue.take(ADA, 60_000).then(() => (granted = true));
  await clock.advance(0);
  await clock.advance(3_000);
  expect(granted).toBe(false);
  await clock.advance(1);
  expect(granted).toBe(true);
  hanging.done();
  await expect(queue.take(ADA, 0)).rejects.toThrow(CallRefusal);
});

test('a process that stood still counts what it had in flight from now on', async () => {
  const { clock, queue } = queueOf({ calls: 1 });
  await queue.take(ADA, 0);
  await clock.advance(10_000);
  await expect(queue.take(ADA, 1_000)).rejects.toMatchObject({ retryAfterMs: 1_001 });
});

test('a wait that is certain to be too long is refused at once, with the time to come back', async () => {
  const { queue } = queueOf({ calls: 1 });
  (await queue.take(ADA, 0)).done();
  const waiting = [queue.take(ADA, 2_500), queue.take(ADA, 2_500)];
  for (const wait of waiting) wait.catch(() => undefined);
  await expect(queue.take(ADA, 2_500)).rejects.toMatchObject({ retryAfterMs: 3_003 });
  queue.stop();
});

test('who would not wait is told of a pause that begins while no permit is free', async () => {
  const { clock, queue } = queueOf({ calls: 1 });
  (await queue.take(ADA, 0)).done();
  queue.pause(30_000);
  await expect(queue.take(ADA, 0)).rejects.toMatchObject({ retryAfterMs: 30_000 });
  await clock.advance(10_000);
  await expect(queue.take(ADA, 0)).rejects.toMatchObject({ retryAfterMs: 20_000 });
});

test('users who are refused together come back one after the other, as many at a time as there are permits', async () => {
  const { clock, queue } = queueOf({ calls: 2 });
  const refused: number[] = [];
  const asking = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) =>
    queue
      .take({ kind: 'user', id, weight: 1 }, 0)
      .then(() => undefined)
      .catch(({ retryAfterMs }: CallRefusal) => refused.push(retryAfterMs)),
  );
  await clock.advance(0);
  await Promise.all(asking);
  expect(refused.sort()).toEqual([1_001, 1_001, 2_002, 2_002, 3_003]);
  await expect(queue.take(ADA, 0)).rejects.toMatchObject({ retryAfterMs: 1_001 });
});

test('users do not come back after a scheduled call that was refused with them', async () => {
  const { clock, queue } = queueOf({ calls: 1 });
  (await queue.take(ADA, 0)).done();
  const asking = Promise.allSettled([
    queue.take({ kind: 'user', id: 'a', weight: 1 }, 5_000),
    queue.take({ kind: 'user', id: 'b', weight: 1 }, 5_000),
    queue.take(SCHEDULED, 5_000),
  ]);
  await clock.advance(0);
  queue.pause(10_000);
  const refused = (await asking).map((one) => one.status === 'rejected' && one.reason.retryAfterMs);
  expect(refused.slice(0, 2)).toEqual([10_000, 11_001]);
});

test('who would not wait gets a permit that came back unused', async () => {
  const { queue } = queueOf({ calls: 1 });
  (await queue.take(ADA, 0)).release();
  (await queue.take(ADA, 0)).done();
});

test('a refusal counts the turns of others: a heavy user gets a later time than a light one', async () => {
  const { clock, queue } = queueOf({ calls: 1 });
  (await queue.take(ADA, 0)).done();
  const refusals: Record<string, number> = {};
  const wish = (id: string, withinMs: number) =>
    queue.take({ kind: 'user', id, weight: 1 }, withinMs).catch((refusal: CallRefusal) => {
      refusals[id] = refusal.retryAfterMs;
    });
  for (const id of ['heavy', 'heavy', 'heavy', 'other', 'other']) void wish(id, 60_000);
  await clock.advance(1);
  void wish('heavy', 3_500);
  void wish('light', 500);
  await clock.advance(3_501);
  expect(refusals).toEqual({ heavy: expect.any(Number), light: expect.any(Number) });
  expect(refusals.heavy).toBeGreaterThan(refusals.light ?? Number.POSITIVE_INFINITY);
  queue.stop();
});

test('scheduled work that is always due has its calls an interval apart, and nearly all of them', async () => {
  const { clock, queue } = queueOf({ calls: 10 });
  const calls = keepCalling(queue, clock, [{ lastsMs: 5, arrivesAfter: 1 }], SCHEDULED);
  for (let nth = 0; nth < 15; nth += 1) calls.start();
  await clock.advance(0);
  for (let step = 0; step < 200; step += 1) await clock.advance(100);
  calls.end();
  expect(calls.arrivals.length).toBeGreaterThanOrEqual(196);
  const gaps = calls.arrivals.slice(1).map((at, nth) => at - (calls.arrivals[nth] ?? at));
  // What was granted late may be made up for: three at once, then a longer gap.
  expect(Math.max(...gaps)).toBeLessThanOrEqual(350);
  queue.stop();
});

test.each(
  [ADA, SCHEDULED].flatMap((who) => [
    [who.kind, 'forward', 3_600_000, who] as const,
    [who.kind, 'back', -3_600_000, who] as const,
  ]),
)(
  'with calls of kind %s, a clock that jumps %s an hour holds nothing up and lets nothing through too early',
  async (...args) => {
    const [, , jump, who] = args;
    let jumpMs = 0;
    const { clock, queue } = queueOf({ calls: 2, jumpMs: () => jumpMs });
    const arrivals: number[] = [];
    let going = true;
    const worker = async () => {
      while (going) {
        const lease = await queue.take(who, 600_000);
        arrivals.push(clock.nowMs());
        await clock.sleep(5);
        lease.done();
      }
    };
    for (let nth = 0; nth < 6; nth += 1) void worker().catch(() => undefined);
    await clock.advance(3_300);
    const before = arrivals.length;
    jumpMs = jump;
    await clock.advance(6_000);
    expect(arrivals.length - before).toBeGreaterThanOrEqual(6);
    going = false;
    queue.stop();
  },
);
