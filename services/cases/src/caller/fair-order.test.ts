import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairOrder, type FairOrder, type Pace } from './fair-order.ts';

/** Scheduled work, and users of several weights. */
const WEIGHTS = { '': 1, newcomer: 1, ada: 1, bob: 1, cleo: 2, dan: 4, eve: 4 } as const;
type Name = keyof typeof WEIGHTS;
const NAMES = Object.keys(WEIGHTS) as Name[];
const USERS = NAMES.filter((name) => name !== '' && name !== 'newcomer');
const SHARE = 0.5;
const LEAD = 3;
const UNPACED: Pace = { isDue: () => true, advance: () => undefined };

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('enter' as const),
      who: fc.constantFrom('' as const, ...USERS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('next' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), nth: fc.nat(50) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reweigh' as const),
      who: fc.constantFrom(...USERS),
      weight: fc.integer({ min: 1, max: 6 }),
    }),
  },
);

interface Waiting {
  readonly id: number;
  readonly who: Name;
  /** Calls granted to others, and to scheduled work, since it became its participant's first ticket. */
  users: number;
  scheduled: number;
}

/** A queue with what a test remembers of it: who waits, in which order, and how long the first of each has waited. */
function watched() {
  const queue = createFairOrder({ share: SHARE, lead: LEAD });
  const weights = new Map<string, number>(Object.entries(WEIGHTS));
  let waiting: Waiting[] = [];
  let lastId = 0;
  return {
    weights,
    waiting: () => waiting,
    enter(who: Name): number {
      lastId += 1;
      queue.enter({ id: String(lastId), participant: who, weight: weights.get(who) ?? 1, joinedMs: lastId });
      waiting.push({ id: lastId, who, users: 0, scheduled: 0 });
      return lastId;
    },
    leave(nth: number): void {
      const removed = waiting[nth % Math.max(1, waiting.length)];
      if (!removed) return;
      queue.leave(String(removed.id));
      waiting = waiting.filter((one) => one !== removed);
    },
    next(): Waiting | undefined {
      const waited = firsts(waiting);
      const id = queue.next(UNPACED);
      const granted = waiting.find((one) => String(one.id) === id);
      waiting = waiting.filter((one) => one !== granted);
      for (const first of waited) {
        if (granted?.who === '') first.scheduled += 1;
        else if (granted) first.users += 1;
      }
      return granted;
    },
  };
}

const firsts = (waiting: readonly Waiting[]) =>
  NAMES.flatMap((name) => waiting.find(({ who }) => who === name) ?? []);

test('no user waits longer than one round, whatever users come, leave or change weight', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 300, size: 'max' }), (commands) => {
      const line = watched();
      const heaviest = new Map<string, number>(line.weights);
      for (const one of commands) {
        if (one.kind === 'enter') line.enter(one.who);
        if (one.kind === 'leave') line.leave(one.nth);
        if (one.kind === 'reweigh') {
          line.weights.set(one.who, one.weight);
          heaviest.set(one.who, Math.max(heaviest.get(one.who) ?? 1, one.weight));
        }
        if (one.kind === 'next') line.next();
        const round = (but: Name) =>
          USERS.reduce((sum, name) => sum + (name === but ? 0 : 1 + (heaviest.get(name) ?? 1)), 0);
        for (const first of firsts(line.waiting())) {
          if (first.who !== '') expect(first.users).toBeLessThanOrEqual(round(first.who));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('no user is overtaken by a newcomer more than once in a round', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('ada', 'bob', 'next'), { maxLength: 200, size: 'max' }),
      (commands) => {
        const line = watched();
        for (const one of commands) {
          if (one === 'next') line.next();
          else line.enter(one as Name);
          for (const first of firsts(line.waiting())) expect(first.users).toBeLessThanOrEqual(2);
        }
      },
    ),
  );
});

test('a user with nothing else waiting is served after at most one call of each other user', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 300, size: 'max' }), (commands) => {
      const line = watched();
      for (const one of commands) {
        if (one.kind === 'enter') line.enter(one.who);
        if (one.kind === 'leave') line.leave(one.nth);
        if (one.kind === 'next') line.next();
      }
      const newcomer = line.enter('newcomer');
      for (let call = 0; call < USERS.length + 2 * LEAD + 2; call += 1)
        if (line.next()?.id === newcomer) return;
      throw new Error('the newcomer still waits');
    }),
  );
});

test('while anything waits, a call is granted; within one participant the first in is the first out', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 300, size: 'max' }), (commands) => {
      const line = watched();
      for (const one of commands) {
        if (one.kind === 'enter') line.enter(one.who);
        if (one.kind === 'leave') line.leave(one.nth);
        if (one.kind === 'reweigh') line.weights.set(one.who, one.weight);
        if (one.kind !== 'next') continue;
        const before = firsts(line.waiting());
        const granted = line.next();
        if (before.length === 0) expect(granted).toBeUndefined();
        else expect(before).toContain(granted);
      }
    }),
  );
});

test('scheduled work is never further behind its share than its lead, and takes what users leave', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 400, size: 'max' }), (commands) => {
      const line = watched();
      let own = 0;
      let all = 0;
      for (const one of commands) {
        if (one.kind === 'enter') line.enter(one.who);
        if (one.kind === 'leave') line.leave(one.nth);
        if (one.kind !== 'next') continue;
        const wanted = line.waiting().some(({ who }) => who === '');
        const granted = line.next();
        if (!granted || !wanted) continue;
        all += 1;
        if (granted.who === '') own += 1;
        expect(own).toBeGreaterThanOrEqual(all * SHARE - LEAD - 1);
      }
    }),
    { numRuns: 300 },
  );
});

/** Grants `calls` while everyone given keeps `depth` tickets waiting, and counts them. */
function shares(queue: FairOrder, weights: Readonly<Record<string, number>>, calls: number) {
  const owners = new Map<string, string>();
  const counts: Record<string, number> = {};
  let lastId = 0;
  const enter = (participant: string) => {
    lastId += 1;
    owners.set(String(lastId), participant);
    queue.enter({
      id: String(lastId),
      participant,
      weight: weights[participant] ?? 1,
      joinedMs: lastId,
    });
  };
  for (const name of Object.keys(weights)) for (let nth = 0; nth < 10; nth += 1) enter(name);
  for (let call = 0; call < calls; call += 1) {
    const owner = owners.get(queue.next(UNPACED) ?? '') ?? 'none';
    counts[owner] = (counts[owner] ?? 0) + 1;
    enter(owner);
  }
  return counts;
}

test('users that always have calls waiting are served by weight, and a new weight counts from the next round', () => {
  const queue = createFairOrder({ share: SHARE, lead: LEAD });
  // Each is a newcomer once.
  expect(shares(queue, { free: 1, pro: 4 }, 102)).toEqual({ free: 21, pro: 81 });
  expect(shares(createFairOrder({ share: SHARE, lead: 0 }), { '': 1, free: 1, pro: 4 }, 204)).toEqual({
    '': 102,
    free: 21,
    pro: 81,
  });
  const changing = createFairOrder({ share: SHARE, lead: LEAD });
  shares(changing, { free: 1, pro: 4 }, 50);
  const later = shares(changing, { free: 1, pro: 1 }, 110);
  expect(Math.abs((later.free ?? 0) - (later.pro ?? 0))).toBeLessThanOrEqual(30);
});

test.each([0, 1])('a share of %i gives one side everything while it waits', (share) => {
  const queue = createFairOrder({ share, lead: share * 5 });
  const counts = shares(queue, { '': 1, free: 1 }, 100);
  expect(counts[share === 0 ? 'free' : '']).toBeGreaterThanOrEqual(94);
});

test('a user with many calls does not hold those behind it up until scheduled work has caught up', () => {
  const queue = createFairOrder({ share: SHARE, lead: 4 });
  const owners = new Map<string, string>();
  const enter = (participant: string, calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      owners.set(String(owners.size + 1), participant);
      queue.enter({ id: String(owners.size), participant, weight: 1, joinedMs: owners.size });
    }
  };
  const serve = (calls: number) =>
    Array.from({ length: calls }, () => owners.get(queue.next(UNPACED) ?? '') || 'check');
  enter('', 20);
  enter('heavy', 20);
  enter('ada', 1);
  // Newcomers go first.
  expect(serve(2)).toEqual(['heavy', 'ada']);
  // Its place in the ring is behind the heavy user's.
  enter('ada', 1);
  expect(serve(6)).toEqual(['heavy', 'ada', 'check', 'check', 'check', 'check']);
});

test('a call that has left or had its turn, and comes back, has its place among its participant’s again, and is granted once', () => {
  const queue = createFairOrder({ share: SHARE, lead: LEAD });
  const enter = (joinedMs: number) =>
    queue.enter({ id: String(joinedMs), participant: 'ada', weight: 1, joinedMs });
  for (const joinedMs of [1, 2, 3]) enter(joinedMs);
  queue.leave('2');
  expect(queue.next(UNPACED)).toBe('1');
  enter(2);
  enter(1);
  const granted = Array.from({ length: 4 }, () => queue.next(UNPACED));
  expect(granted).toEqual(['1', '2', '3', undefined]);
  expect(queue.size()).toBe(0);
});
