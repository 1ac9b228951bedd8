import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { expect, test, vi } from 'vitest';
import { ADA, BOB, errorOf, PAT, startCases } from './cases-fixture.ts';

const receipt = (nth: number) => `SRC${String(3_000_000_000 + nth)}`;

test('30 parallel loops of a free user over distinct receipt numbers make no lookup of another user fail', async () => {
  const cases = await startCases({
    clock: systemClock,
    env: { AGENCY_CALLS_PER_SECOND: '10', FRESHNESS_SECONDS: '0' },
  });
  let going = true;
  let asked = 0;
  const statuses = new Set<number>();
  const loops = Array.from({ length: 30 }, async () => {
    while (going) statuses.add((await cases.lookUp(receipt(asked++), ADA)).status);
  });
  for (const nth of ['03', '04', '05']) {
    const [pro, free] = await Promise.all([
      cases.lookUp(`EAC99991034${nth}`, PAT),
      cases.lookUp(`EAC99991034${nth}`, BOB),
    ]);
    expect([pro.status, free.status]).toEqual([200, 200]);
  }
  going = false;
  await Promise.all(loops);
  expect(statuses).not.toContain(500);
  await cases.stop();
}, 60_000);

test('10,000 receipt numbers of one user within a minute: that user gets a time to retry, others do not notice', async () => {
  const queued = new Map<string, number>();
  const waits: number[] = [];
  let granted = 0;
  let answered = 0;
  const cases = await startCases({
    env: { AGENCY_CALLS_PER_SECOND: '10', FRESHNESS_SECONDS: '0' },
    onQueued: (participant) => {
      const id = participant.kind === 'user' ? participant.id : '';
      queued.set(id, (queued.get(id) ?? 0) + 1);
    },
    onGranted: (participant, waitedMs) => {
      granted += 1;
      if (participant.kind === 'user' && participant.id !== ADA.userId) waits.push(waitedMs);
    },
  });
  const untilQueued = (user: typeof ADA, times: number) =>
    vi.waitFor(() => expect(queued.get(user.userId) ?? 0).toBe(times), { timeout: 20_000, interval: 5 });
  /** Time moves on when the agency has answered all calls. */
  async function passSecond(): Promise<void> {
    for (let step = 0; step < 10; step += 1) {
      await cases.clock.advance(100);
      await vi.waitFor(() => expect(answered).toBe(granted), { timeout: 20_000, interval: 1 });
    }
  }
  const ask = async (number: string, user: typeof ADA) => {
    const answer = await cases.lookUp(number, user);
    if (answer.ok) answered += 1;
    return answer.ok ? { status: answer.status, code: '', retryAfter: '' } : errorOf(answer);
  };

  const heavy: ReturnType<typeof ask>[] = [];
  const others: ReturnType<typeof ask>[] = [];
  for (let second = 0; second < 60; second += 1) {
    // Even ones are recognized.
    while (heavy.length < ((second + 1) * 10_000) / 60) heavy.push(ask(receipt(heavy.length * 2), ADA));
    await untilQueued(ADA, heavy.length);
    if (second % 5 === 0) {
      // Each has a case of its own: two lookups of one case may share a call, which is then one answer more than grants.
      for (const [user, number] of [
        [BOB, 'EAC9999103403'],
        [PAT, 'EAC9999103404'],
      ] as const) {
        others.push(ask(number, user));
        await untilQueued(user, second / 5 + 1);
      }
    }
    await passSecond();
  }
  for (let second = 0; second < 5; second += 1) await passSecond();

  expect(heavy).toHaveLength(10_000);
  const answers = await Promise.all(heavy);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(['429 AGENCY_BUSY']),
  );
  expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
  expect(answers.length - refused.length).toBeGreaterThan(500);
  expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200]));
  // A permit's window, a step of the clock, and the shortest time until the queue looks again.
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000 + 100 + 1);
  await cases.stop();
}, 240_000);
