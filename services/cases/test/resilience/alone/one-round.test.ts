import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ReplicaOptions, receipt, startReplicas, user } from '../replicas.ts';

const REQUESTS = 10_000;
const AT_ONCE = 200;
const [HEAVY, OTHER] = [user(1), user(2)];
/** A permit is free within a second, and the queue is read every 25 ms; the rest is for a busy machine. */
const ONE_ROUND_MS = 1_001 + 25 + 174;

/** One user asks two replicas for many cases that are not stored, and another one for one case a second. */
async function flood(requests: number, options: ReplicaOptions = {}) {
  const cases = await startReplicas({ count: 2, env: { BUDGET_WAIT_MS: '4000' }, ...options });
  await cases.caller();
  let isOver = false;
  let sent = 0;
  const heavy = new Map<string, number>();
  const retries: number[] = [];
  const place = (nth: number) => cases.replicas[nth % 2] ?? expect.fail('two replicas');
  const loops = Array.from({ length: AT_ONCE }, async () => {
    while (sent < requests) {
      const nth = sent++;
      const answer = await cases.lookUp(place(nth), receipt(1_000 + nth), HEAVY);
      const { code = '' } = (await answer.json()) as { code?: string };
      const key = `${answer.status} ${code}`;
      heavy.set(key, (heavy.get(key) ?? 0) + 1);
      if (answer.status === 429) retries.push(Number(answer.headers.get('retry-after')));
    }
  });
  const others: number[] = [];
  const other = (async () => {
    while (!isOver) {
      await sleep(1_000);
      others.push((await cases.lookUp(place(others.length), receipt(others.length), OTHER)).status);
    }
  })();
  await Promise.all(loops);
  isOver = true;
  await other;
  const waits = (await cases.events('lookups-recorded'))
    .flatMap(({ lookups }) => lookups as { userId?: string; queueMs?: number }[])
    .flatMap(({ userId, queueMs }) => (userId === OTHER ? (queueMs ?? Number.NaN) : []));
  return { cases, heavy, retries, others, waits };
}

test('R12: 10,000 lookups of one user at two replicas: another user’s wait one round, and the rest is refused with a time to retry', async () => {
  const { heavy, retries, others, waits } = await flood(REQUESTS);
  expect(new Set(others)).toEqual(new Set([200]));
  expect(waits).toHaveLength(others.length);
  expect(Math.max(...waits)).toBeLessThanOrEqual(ONE_ROUND_MS);
  expect([...heavy.keys()].sort()).toEqual(['200 ', '429 AGENCY_BUSY']);
  expect([...heavy.values()].reduce((sum, count) => sum + count)).toBe(REQUESTS);
  expect(Math.min(...retries)).toBeGreaterThanOrEqual(1);
}, 120_000);

test('R12, shown able to fail: in a queue without turns the other user waits for all that the first has asked', async () => {
  const { others, waits } = await flood(1_000, {
    mutations: [
      {
        file: 'cases/src/caller/fair-order.ts',
        find: 'enter({ id, participant, weight, joinedMs }) {',
        replace: "enter({ id, participant: of, weight, joinedMs }) { const participant = of && 'everybody';",
      },
    ],
  });
  expect(others.length).toBeGreaterThan(0);
  const isServed = others.every((status) => status === 200) && Math.max(...waits) <= ONE_ROUND_MS;
  expect(isServed, `${others} after ${waits} ms`).toBe(false);
}, 120_000);
