import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { check, createStory, pass, person, type Reply, RULE } from '../../test/caller-fixture.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const CASES = Array.from({ length: 6 }, (_, nth) => `EAC${String(2_190_000_000 + nth)}`);
/** The agency knows every other case. */
const isKnown = (receiptNumber: string) => CASES.indexOf(receiptNumber) % 2 === 0;
/** A caller that was lost has sent nothing that arrives later; see `caller-session.ts`. */
const LOST_CALLER_MS = 3_000;
const LONG_MS = 600_000;

const moods = [
  'well',
  'well',
  'unavailable',
  'timeout',
  'unreachable',
  'unreadable',
  'rate-limited',
  '401',
] as const;
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      of: fc.constantFrom(...CASES),
      who: fc.constantFrom('', 'ada', 'bob', 'cleo'),
      waitMs: fc.constantFrom(LONG_MS, LONG_MS, 300, 3_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), nth: fc.nat(100) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 20, 90, 400, 3_100) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mood' as const),
      says: fc.constantFrom(...moods),
      ms: fc.constantFrom(5, 80, 400, 1_400),
      arrives: fc.constantFrom(0, 0.5, 1),
      connectMs: fc.constantFrom(0, 0, 0, 300, 1_200),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('hand-over' as const, 'lose' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('database' as const), ms: fc.constantFrom(0, 3, 30) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Lives through a story, and on until everyone has an outcome whose wait is not over. */
async function live(steps: readonly Step[]) {
  const story = createStory();
  const ids: string[] = [];
  let caller = story.start();
  let mood: Omit<Reply, 'says'> & { says: (typeof moods)[number] } = { says: 'well', ms: 80, arrives: 0.5 };
  story.agency.reply = (receiptNumber) => {
    const answer = isKnown(receiptNumber) ? 'case' : 'not-recognized';
    return { ...mood, says: mood.says === 'well' ? answer : mood.says };
  };
  for (const one of steps) {
    if (one.kind === 'join')
      ids.push(story.join(one.of, one.who === '' ? check() : person(one.who), one.waitMs));
    if (one.kind === 'leave') story.leave(ids[one.nth % Math.max(1, ids.length)] ?? '');
    if (one.kind === 'pass') await pass(one.ms);
    if (one.kind === 'mood') mood = one;
    if (one.kind === 'database') story.database.ms = one.ms;
    if (one.kind === 'hand-over') {
      let isOver = false;
      const stopped = caller.stop().then(() => {
        isOver = true;
      });
      while (!isOver) await pass(50);
      await stopped;
      caller = story.start();
    }
    if (one.kind === 'lose') {
      const lost = caller.lose();
      await pass(LOST_CALLER_MS);
      await lost;
      caller = story.start();
    }
  }
  mood = { says: 'well', ms: 80, arrives: 0.5 };
  const waits = () =>
    [...story.rows.values()].filter(({ outcome, untilMs }) => !outcome && untilMs > Date.now());
  for (let half = 0; half < 240 && (waits().length > 0 || caller.caller.size() > 0); half += 1)
    await pass(500);
  const left = waits();
  const size = caller.caller.size();
  const end = caller.lose();
  await pass(2_000);
  await end;
  return { ...story, left, size };
}

test('in any order of calls, failures, rests and handovers each lookup gets the answer about its own case, once', async () => {
  let lookups = 0;
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const story = await live(steps);
      lookups += story.rows.size;
      calls += story.calls.length;
      // Every lookup that has not left or been abandoned is answered, and none is left over.
      expect([story.left, story.size]).toEqual([[], 0]);
      for (const { outcome, outcomes, receiptNumber } of story.rows.values()) {
        expect(outcomes).toBe(outcome ? 1 : 0);
        if (outcome?.kind === 'failure' || !outcome) continue;
        expect(outcome.kind).toBe(isKnown(receiptNumber) ? 'case' : 'not-recognized');
        expect(story.stored.some((answer) => answer.receiptNumber === receiptNumber)).toBe(true);
      }
      for (const { receiptNumber, status } of story.stored)
        expect(status).toBe(isKnown(receiptNumber) ? `About ${receiptNumber}` : 'not-recognized');
      expectOrder(story);
      expectRate(story);
      // Whose turn it was pays, once for each call and for nothing else.
      expect(story.spends).toHaveLength(story.calls.length);
    }),
    { numRuns: 400 },
  );
  // The stories are about something.
  expect(calls).toBeGreaterThan(lookups / 4);
});

type Lived = Awaited<ReturnType<typeof live>>;

/** Of each case the later call has the higher number, whenever its answer came, and there is one call at a time. */
function expectOrder({ stored, calls }: Lived): void {
  expect(new Set(stored.map(({ callNumber }) => callNumber)).size).toBe(stored.length);
  for (const receiptNumber of CASES) {
    const byNumber = stored
      .filter((answer) => answer.receiptNumber === receiptNumber && answer.description !== '')
      .toSorted((a, b) => Number(a.callNumber - b.callNumber));
    const nth = byNumber.map(({ description }) => Number(description.slice('Call '.length)));
    expect(nth).toEqual(nth.toSorted((a, b) => a - b));
    const own = calls.filter((call) => call.receiptNumber === receiptNumber);
    for (const [index, call] of own.entries()) {
      const before = own[index - 1];
      if (before) expect(call.sentMs).toBeGreaterThanOrEqual(before.endedMs);
    }
  }
}

/** As they arrive, no more calls than allowed in any window. */
function expectRate({ calls }: Lived): void {
  const arrivals = calls.map(({ arrivedMs }) => arrivedMs).toSorted((a, b) => a - b);
  for (const [index, at] of arrivals.entries()) {
    const before = arrivals[index - RULE.calls];
    if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(RULE.windowMs);
  }
}
