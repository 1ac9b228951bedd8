import { expect, test, vi } from 'vitest';
import { type ReplicaOptions, type Replicas, receipt, startReplicas, user } from './replicas.ts';

const DAY_MS = 86_400_000;
const NUMBER = receipt(1);
const STATUSES = ['Case Was Received', 'Interview Was Scheduled', 'Case Was Approved'];

/** Replicas call one after the other, each with a clock that is further behind than that of the one before. */
async function callInTurn(options: ReplicaOptions = {}) {
  const cases = await startReplicas({
    count: 1,
    envOf: (nth) => ({ TEST_CLOCK_AHEAD_MS: String((1 - nth) * DAY_MS) }),
    ...options,
  });
  const shown: unknown[] = [];
  for (const [nth, status] of STATUSES.entries()) {
    const replica = nth === 0 ? cases.replicas[0] : await cases.add();
    if (!replica) throw new Error('no replica runs');
    if (nth > 0) await cases.replicas[nth - 1]?.kill('SIGKILL');
    await vi.waitFor(async () => expect(await cases.caller()).toBe(replica), 30_000);
    await cases.control('PUT', `/cases/${NUMBER}`, { status });
    await cases.check(replica, [NUMBER]);
    shown.push(await shownBy(cases, replica));
  }
  return { cases, shown };
}

async function shownBy(cases: Replicas, replica: Replicas['replicas'][number]): Promise<unknown> {
  const answer = await cases.lookUp(replica, NUMBER, user(1));
  return ((await answer.json()) as { caseStatus?: string }).caseStatus;
}

test('R16: of replicas whose clocks differ by days the later call counts, and a fresh answer is fresh for each', async () => {
  const { cases, shown } = await callInTurn();
  expect(shown).toEqual(STATUSES);
  const events = await cases.events('case-observed');
  expect(events.map(({ status }) => status)).toEqual(STATUSES);
  const numbers = events.map(({ callNumber }) => BigInt(String(callNumber)));
  expect(numbers).toEqual(numbers.toSorted((a, b) => (a < b ? -1 : 1)));
  // The checks called the agency, the lookups after them did not.
  expect((await cases.calls(NUMBER)).total).toBe(STATUSES.length);
}, 120_000);

test('R16, shown able to fail: where the time of the call decides, the later answer is lost', async () => {
  const { shown } = await callInTurn({
    mutations: [
      {
        file: 'cases/src/data/write-observations.ts',
        find: `    answered_at = EXCLUDED.answered_at
  WHERE stored.call_number < EXCLUDED.call_number
  RETURNING`,
        replace: `    answered_at = EXCLUDED.answered_at
  WHERE stored.observed_at < EXCLUDED.observed_at
  RETURNING`,
      },
    ],
  });
  expect(shown).not.toEqual(STATUSES);
}, 120_000);
