import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { mutateImports } from '@casewatch/testing/mutate-imports';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDayQuota } from '../src/agency/day-quota.ts';
import { createQuotaLedger } from '../src/data/pg-quota-ledger.ts';
import type { BudgetCaller } from '../src/domain/agency.ts';
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

/**
 * Within `seconds`, one user asks for `requests` cases, and every five seconds two others ask for one each; until all are
 * answered. Resolves to the answers, and to how long the others waited for their calls.
 */
async function flood(start: typeof startCases, { requests, seconds }: { requests: number; seconds: number }) {
  const queued = new Map<string, number>();
  const waits: number[] = [];
  let granted = 0;
  let answered = 0;
  let settled = 0;
  const cases = await start({
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
    settled += 1;
    return answer.ok ? { status: answer.status, code: '', retryAfter: '' } : errorOf(answer);
  };

  const heavy: ReturnType<typeof ask>[] = [];
  const others: ReturnType<typeof ask>[] = [];
  for (let second = 0; second < seconds; second += 1) {
    // Even ones are recognized.
    while (heavy.length < ((second + 1) * requests) / seconds)
      heavy.push(ask(receipt(heavy.length * 2), ADA));
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
  while (settled < heavy.length + others.length) await passSecond();
  const answers = { heavy: await Promise.all(heavy), others: await Promise.all(others) };
  await cases.stop();
  return { ...answers, longestWaitMs: Math.max(...waits) };
}
/** A permit's window, a step of the clock, and the shortest time until the queue looks again. */
const ONE_ROUND_MS = 1_000 + 100 + 1;

test('10,000 receipt numbers of one user within a minute: that user gets a time to retry, others do not notice', async () => {
  const { heavy, others, longestWaitMs } = await flood(startCases, { requests: 10_000, seconds: 60 });
  expect(heavy).toHaveLength(10_000);
  const refused = heavy.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(['429 AGENCY_BUSY']),
  );
  expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
  expect(heavy.length - refused.length).toBeGreaterThan(500);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect(longestWaitMs).toBeLessThanOrEqual(ONE_ROUND_MS);
}, 240_000);

test('R12, shown able to fail: in a queue without turns others wait for all that one user has asked before', async () => {
  mutateImports([
    {
      file: 'packages/shared-state/src/call-queues/fair-queue.ts',
      find: 'enter({ id, participant, weight }) {',
      replace: "enter({ id, participant: of, weight }) { const participant = of && 'everybody';",
    },
  ]);
  const { startCases: startMutated } = await import('./cases-fixture.ts');
  const { others, longestWaitMs } = await flood(startMutated, { requests: 30, seconds: 1 });
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect(longestWaitMs).toBeGreaterThan(ONE_ROUND_MS);
}, 60_000);

describe('the calls of a day', () => {
  const QUOTA = 'services/cases/src/agency/day-quota.ts';
  const SHARES = 'services/cases/src/agency/day-shares.ts';
  const DAY = { callsPerDay: 240, monitoringShare: 0.5 };
  const CHECK: BudgetCaller = { source: 'monitor' };
  const HEAVY: BudgetCaller = { source: 'user', userId: ADA.userId, tier: 'free' };
  const CHECKS_PER_HOUR = 5;

  /** The day's calls since midnight, counted in PostgreSQL; `spend` resolves to how many of `most` were granted. */
  async function startDay(create: typeof createDayQuota) {
    const database = await createTestDatabase();
    onTestFinished(database.drop);
    const clock = createManualClock(Date.parse('2026-01-05T00:00:00Z'));
    const ledger = createQuotaLedger(database.openPool('cases', 1));
    const quota = create({ ...DAY, clock, ledger, weights: { free: 1, pro: 4 } });
    const spend = async (caller: BudgetCaller, most: number) => {
      for (let calls = 0; calls < most; calls += 1) {
        try {
          await quota.spend(caller);
        } catch (error) {
          expect(error).toMatchObject({ reason: 'spent' });
          return calls;
        }
      }
      return most;
    };
    return { clock, spend };
  }

  /** The checks made on a day on which a user takes, before the checks of each hour, all calls that there are. */
  async function checksBesideHeavyUser(create: typeof createDayQuota): Promise<number> {
    const { clock, spend } = await startDay(create);
    let made = 0;
    for (let hour = 0; hour < 24; hour += 1) {
      await spend(HEAVY, DAY.callsPerDay);
      made += await spend(CHECK, CHECKS_PER_HOUR);
      await clock.advance(3_600_000);
    }
    return made;
  }

  test('R12: checks have their share of it, whatever a user asks for', async () => {
    expect(await checksBesideHeavyUser(createDayQuota)).toBe(24 * CHECKS_PER_HOUR);
  });

  test('R12, shown able to fail: where nothing is kept for checks the user takes it', async () => {
    mutateImports([{ file: SHARES, find: '- kept + ROUNDING', replace: '+ ROUNDING' }]);
    const mutated = await import('../src/agency/day-quota.ts');
    expect(await checksBesideHeavyUser(mutated.createDayQuota)).toBeLessThan((24 * CHECKS_PER_HOUR) / 2);
  });

  /** What people are guaranteed, but for the quarter from which on it is shared by need. */
  const PLENTIFUL = 120 - 30;

  test('R12: no call is refused while calls are plentiful', async () => {
    const { spend } = await startDay(createDayQuota);
    expect(await spend(HEAVY, PLENTIFUL)).toBe(PLENTIFUL);
  });

  test('R12, shown able to fail: a share for each user from the first call on refuses some', async () => {
    mutateImports([{ file: QUOTA, find: 'if (plenty >= 1)', replace: 'if (plenty < 0)' }]);
    const mutated = await import('../src/agency/day-quota.ts');
    const { spend } = await startDay(mutated.createDayQuota);
    expect(await spend(HEAVY, PLENTIFUL)).toBeLessThan(PLENTIFUL);
  });
});
