import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { check, createStory, pass, person, REST_MS, RULE, type Story } from '../../test/caller-fixture.ts';

let story: Story;
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
    now: Date.parse('2026-01-05T12:00:00Z'),
  });
  story = createStory();
});
afterEach(() => void vi.useRealTimers());

const number = (nth: number) => `EAC${String(2_190_000_000 + nth)}`;

/** The most calls that arrive in any window. */
function mostInWindow({ calls }: Story): number {
  const arrivals = calls.map(({ arrivedMs }) => arrivedMs).sort((a, b) => a - b);
  return Math.max(
    0,
    ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + RULE.windowMs).length),
  );
}

test('a case that two users ask for is called once, at the first turn, and whose turn it was pays', async () => {
  const busy = Array.from({ length: 5 }, (_, nth) => story.join(number(nth + 10), person('heavy')));
  const ofBob = story.join(number(1), person('bob'));
  const ofHeavy = story.join(number(1), person('heavy'));
  story.start();
  await pass(500);
  expect(story.calls.filter(({ receiptNumber }) => receiptNumber === number(1))).toHaveLength(1);
  expect([ofBob, ofHeavy].map(story.outcome)).toEqual([{ kind: 'case', isLogged: true }, { kind: 'case' }]);
  // The heavy user's own calls fill its first turns.
  expect(story.spends.slice(0, 2)).toEqual(['heavy', 'bob']);
  await pass(3_000);
  expect(busy.map((id) => story.outcome(id)?.kind)).toEqual(Array(5).fill('case'));
  expect(story.spends.filter((name) => name === 'bob')).toHaveLength(1);
});

test('never are more calls let in within a window than allowed, however late they arrive, also across a handover', async () => {
  story.agency.reply = (_number, nth) => ({
    says: 'case',
    ms: 100 + ((nth * 379) % 1_900),
    arrives: (nth * 0.37) % 1,
  });
  for (let nth = 0; nth < 40; nth += 1) story.join(number(nth), person(`user-${nth % 7}`), 60_000);
  const first = story.start();
  await pass(6_200);
  const handover = first.stop();
  await pass(4_000);
  await handover;
  const before = story.calls.length;
  story.start();
  await pass(25_000);
  expect(before).toBeGreaterThan(10);
  expect(story.calls.length).toBeGreaterThanOrEqual(40);
  expect(mostInWindow(story)).toBeLessThanOrEqual(RULE.calls);
});

test('never are more calls let in within a window than allowed while the clock of the process is set forward and back', async () => {
  for (let nth = 0; nth < 40; nth += 1) story.join(number(nth), person(`user-${nth % 7}`), 100_000);
  story.start();
  for (const stepMs of [1_500, 3_000, -1_000, 2_000]) {
    await pass(700);
    vi.setSystemTime(Date.now() + stepMs);
  }
  await pass(10_000);
  expect(story.calls.length).toBeGreaterThanOrEqual(40);
  expect(mostInWindow(story)).toBeLessThanOrEqual(RULE.calls);
});

test('a caller that hands over waits a window after its last call, also where no answer came', async () => {
  story.agency.reply = () => ({ says: 'unreachable', ms: 300, arrives: 1 });
  story.join(number(1), check());
  const first = story.start();
  await pass(100);
  let isOver = false;
  const handover = first.stop().then(() => {
    isOver = true;
  });
  await pass(200 + RULE.windowMs - 50);
  expect(isOver).toBe(false);
  await pass(100);
  await handover;
});

test('nothing is sent while the session is not proven, and nothing more than a second after the permit', async () => {
  const caller = story.start();
  caller.proven.is = false;
  const id = story.join(number(1), person('ada'), 20_000);
  await pass(1_000);
  expect(story.calls).toEqual([]);
  caller.proven.is = true;
  await pass(200);
  expect(story.outcome(id)).toMatchObject({ kind: 'case' });

  let tries = 0;
  story.agency.reply = () => {
    tries += 1;
    return { says: 'case', ms: 100, arrives: 0.5, connectMs: tries === 1 ? 1_000 : 0 };
  };
  const late = story.join(number(2), person('ada'), 20_000);
  await pass(3_000);
  expect(story.outcome(late)).toMatchObject({ kind: 'case' });
  // What connected too late was not sent: another turn was.
  expect([tries, story.calls.length]).toEqual([2, 2]);
  // The call that was not sent was paid back.
  expect(story.spends).toEqual(['ada', 'ada']);
});

test('a session that is lost while a call connects sends nothing', async () => {
  story.agency.reply = () => ({ says: 'case', ms: 100, arrives: 0.5, connectMs: 400 });
  story.join(number(1), person('ada'));
  const caller = story.start();
  await pass(200);
  await caller.lose();
  await pass(2_000);
  expect([story.calls, story.spends]).toEqual([[], []]);
});

/** The agency fails until it is left alone. */
async function openBreaker() {
  story.agency.reply = () => ({ says: 'timeout', ms: 50, arrives: 0.5 });
  const caller = story.start();
  for (let nth = 0; nth < 5; nth += 1) story.join(number(100 + nth), person(`early-${nth}`));
  await pass(200);
  expect(caller.breaker.isOpen()).toBe(true);
  return caller;
}

test('while the agency is left alone everyone is answered at once; then one call tries, and the others are not held up', async () => {
  await openBreaker();
  const askedMs = performance.now();
  const ids = Array.from({ length: 20 }, (_, nth) =>
    story.join(number(nth), nth % 2 ? check() : person(`u-${nth}`)),
  );
  await pass(60);
  expect(new Set(ids.map((id) => story.outcome(id)?.kind))).toEqual(new Set(['failure']));
  expect(story.outcome(ids[0] ?? '')).toMatchObject({ failure: { kind: 'resting' } });
  expect(performance.now() - askedMs).toBeLessThan(100);
  expect(story.calls).toHaveLength(5);

  await pass(REST_MS);
  story.agency.reply = () => ({ says: 'case', ms: 400, arrives: 0.5 });
  const trial = Array.from({ length: 4 }, (_, nth) => story.join(number(nth), person(`v-${nth}`)));
  await pass(100);
  expect(story.calls).toHaveLength(6);
  const kinds = trial.map((id) => story.outcome(id)?.kind);
  expect(kinds.filter((kind) => kind === 'failure')).toHaveLength(3);
  await pass(500);
  expect(trial.filter((id) => story.outcome(id)?.kind === 'case')).toHaveLength(1);
  const after = story.join(number(50), person('after'));
  await pass(600);
  expect(story.outcome(after)).toMatchObject({ kind: 'case' });
});

test.each(['timeout', 'rate-limited'] as const)(
  'what had a turn when the agency began to rest or to pause (%s) is not sent, and pays nothing',
  async (says) => {
    story.agency.reply = (_number, nth) => ({ says: nth < 5 ? says : 'case', ms: 200, arrives: 0.5 });
    const { begin } = story.queue;
    story.queue.begin = async (epoch, lookup, fresh) => {
      if (lookup.receiptNumber === number(9)) await story.sleep(100);
      return begin(epoch, lookup, fresh);
    };
    story.start({ calls: 6 });
    for (let nth = 0; nth < 5; nth += 1) story.join(number(nth), person(`u-${nth}`));
    await pass(150);
    const late = story.join(number(9), person('late'), 500);
    await pass(400);
    expect(story.outcome(late)).toMatchObject({
      failure: { kind: says === 'timeout' ? 'resting' : 'rate-limited' },
    });
    expect(story.calls.filter(({ receiptNumber }) => receiptNumber === number(9))).toEqual([]);
    expect(story.spends).not.toContain('late');
  },
);

test('a pause ends those who cannot wait for its end, and the others are called after it', async () => {
  story.agency.reply = (_number, nth) => ({
    says: nth === 0 ? 'rate-limited' : 'case',
    ms: 100,
    arrives: 0.5,
  });
  story.join(number(1), check());
  story.start();
  await pass(150);
  const short = story.join(number(2), person('ada'), 300);
  const both = [story.join(number(3), person('bob'), 300), story.join(number(3), check(), 3_000)] as const;
  await pass(60);
  expect(story.outcome(short)).toMatchObject({ kind: 'failure', failure: { kind: 'rate-limited' } });
  expect(story.outcome(both[0])).toMatchObject({ kind: 'failure', failure: { kind: 'rate-limited' } });
  expect(story.outcome(both[1])).toBeNull();
  await pass(800);
  expect(story.calls).toHaveLength(1);
  await pass(400);
  expect(story.outcome(both[1])).toMatchObject({ kind: 'case' });
});

test('after "too many requests" a person has a second try when the pause is over; a check comes again later', async () => {
  story.agency.reply = (_number, nth) => ({ says: nth < 2 ? 'rate-limited' : 'case', ms: 100, arrives: 0.5 });
  const ofAda = story.join(number(1), person('ada'));
  const ofCheck = story.join(number(2), check());
  const shared = story.join(number(1), check());
  story.start();
  await pass(500);
  expect([ofCheck, shared].map(story.outcome)).toEqual(
    Array(2).fill(expect.objectContaining({ failure: expect.objectContaining({ kind: 'rate-limited' }) })),
  );
  expect(story.outcome(ofAda)).toBeNull();
  await pass(1_500);
  expect(story.outcome(ofAda)).toEqual({ kind: 'case', isLogged: true });
  expect(story.calls).toHaveLength(3);
  // The row of her lookup has both calls.
  expect(story.ended.at(-1)?.calls).toHaveLength(2);
});

test('a refused token is answered with a second call; a second refusal is believed', async () => {
  story.agency.reply = () => ({ says: '401', ms: 50, arrives: 0.5 });
  const id = story.join(number(1), person('ada'));
  story.start();
  await pass(1_000);
  expect(story.calls).toHaveLength(2);
  expect(story.outcome(id)).toMatchObject({ failure: { kind: 'credentials' } });
});

test('what the store has answered a moment ago is enough for people, and not for a check that joins during it', async () => {
  story.fresh.add(number(1));
  const ofAda = story.join(number(1), person('ada'));
  let ofCheck = '';
  const { begin } = story.queue;
  story.queue.begin = async (epoch, lookup, fresh) => {
    const begun = await begin(epoch, lookup, fresh);
    // The check is claimed while what the store has is on its way.
    if (ofCheck === '') {
      ofCheck = story.join(number(1), check());
      await story.sleep(60);
    }
    return begun;
  };
  story.start();
  await pass(1_000);
  expect(story.outcome(ofAda)).toEqual({ kind: 'stored' });
  expect(story.outcome(ofCheck)).toMatchObject({ kind: 'case' });
  expect(story.calls).toHaveLength(1);
});

test('a day that is spent for one requester ends its lookups alone', async () => {
  story.ofDay.left = 0;
  const ids = [story.join(number(1), person('ada')), story.join(number(1), person('ada'))];
  story.start();
  await pass(100);
  for (const id of ids)
    expect(story.outcome(id)).toMatchObject({ failure: { kind: 'budget-spent', retryAfterMs: 60_000 } });
  expect(story.calls).toEqual([]);
});

test('a lookup whose turn led to an answer that cannot be stored has the calls logged, and no other', async () => {
  const ids = [story.join(number(1), person('ada')), story.join(number(1), check())];
  story.start();
  await pass(50);
  story.database.broken = Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
  const { end } = story.queue;
  story.queue.end = async (ends) => {
    story.database.broken = undefined;
    return end(ends);
  };
  await pass(1_000);
  const [own, shared] = ids.map(story.outcome);
  expect(own).toMatchObject({ kind: 'broken', spent: { calls: [{ response: 'case' }] } });
  expect(shared).toEqual({ kind: 'broken', message: 'unavailable', code: 'ECONNREFUSED' });
});

test('a second try that the day has no call for leaves the agency’s first answer', async () => {
  story.agency.reply = () => {
    story.ofDay.left = 0;
    return { says: 'unavailable', ms: 50, arrives: 0.5 };
  };
  const id = story.join(number(1), person('ada'));
  story.start();
  await pass(1_000);
  expect(story.outcome(id)).toMatchObject({ failure: { kind: 'unavailable' }, isLogged: true });
  expect(story.ended.map((ended) => ended?.calls.length)).toEqual([1]);
});

test('a check whose call met a 429 has that call in its row; the person who waits on has the second one', async () => {
  story.agency.reply = (_number, nth) => ({ says: nth < 1 ? 'rate-limited' : 'case', ms: 100, arrives: 0.5 });
  const ofCheck = story.join(number(1), check());
  story.start({ scheduledShare: 1 });
  await pass(10);
  const ofAda = story.join(number(1), person('ada'));
  await pass(2_000);
  expect(story.outcome(ofCheck)).toMatchObject({ kind: 'failure', spent: { calls: [{}] } });
  expect(story.outcome(ofAda)).toEqual({ kind: 'case', isLogged: true });
  expect(story.ended.map((ended) => ended?.calls.length)).toEqual([1]);
});

test('a failure of a lost caller ends no lookup that the next caller serves or will serve', async () => {
  story.agency.reply = (_number, nth) => ({ says: nth < 1 ? 'timeout' : 'case', ms: 1_400, arrives: 0.5 });
  const ofAda = story.join(number(1), person('ada'));
  const lost = story.start();
  await pass(100);
  await lost.lose();
  story.start();
  await pass(1_290);
  const ofBob = story.join(number(1), person('bob'));
  await pass(2_000);
  expect([ofAda, ofBob].map((id) => story.outcome(id)?.kind)).toEqual(['case', 'case']);
});
