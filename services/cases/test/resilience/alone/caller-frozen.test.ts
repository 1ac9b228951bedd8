import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { CALLS_PER_SECOND, type Replica, type Replicas, startLoad, startReplicas } from '../replicas.ts';

const MINUTES_MS = 180_000;
/** A process has abandoned by then what it had asked its database when it stood still, and says so. */
const DATABASE_GIVEN_UP_SECONDS = 16;

/** Freezes the caller for the given time while lookups wait, and lets it continue. */
async function freezeUnderLoad(cases: Replicas, seconds: number) {
  const { total } = await cases.calls();
  const load = startLoad(cases, total);
  await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(total + 30), 30_000);
  const frozen = await cases.caller();
  load.leaveOut(frozen);
  await frozen.kill('SIGSTOP');
  await sleep(seconds * 1_000);
  await frozen.kill('SIGCONT');
  const thawedTotal = (await cases.calls()).total;
  await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(thawedTotal + 30), 30_000);
  return { frozen, answers: await load.end() };
}

test(
  'R9: the caller of six replicas stands still for 3, 6, 14 and 20 s: N in no second are passed, and every lookup has its answer',
  async () => {
    const cases = await startReplicas();
    for (const seconds of [3, 6, 14, 20]) {
      const { frozen, answers } = await freezeUnderLoad(cases, seconds);
      expect((await cases.calls()).maxInAnySecond, `${seconds} s`).toBeLessThanOrEqual(CALLS_PER_SECOND);
      const others = answers.filter(({ replica }) => replica !== frozen);
      expect(
        others.filter(({ status }) => status !== 200),
        `${seconds} s`,
      ).toEqual([]);
      // Those of the frozen process as well, once it continues.
      const own = answers.filter(({ replica }) => replica === frozen);
      const mayBe = seconds < DATABASE_GIVEN_UP_SECONDS ? [200] : [200, 503];
      expect(
        own.filter(({ status }) => !mayBe.includes(status)),
        `${seconds} s`,
      ).toEqual([]);
      if (seconds > 6) expect(await cases.caller()).not.toBe(frozen);
    }
  },
  MINUTES_MS,
);

test(
  'R9: a caller that stands still while it stores an answer delays no other: the server ends its transaction',
  async () => {
    const cases = await startReplicas({
      mutations: [
        {
          file: 'cases/src/data/pg-case-store.ts',
          find: 'await publishAnswers(tx, bus, records);',
          replace: `await publishAnswers(tx, bus, records);
            await new Promise((resolve) => setTimeout(resolve, 250));`,
        },
      ],
    });
    const load = startLoad(cases);
    await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(30), 30_000);
    const frozen = await cases.caller();
    load.leaveOut(frozen);
    await stopWhileStoring(frozen, cases);
    const before = (await cases.calls()).total;
    await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(before + 60), 60_000);
    const answers = [...load.answers];
    await frozen.kill('SIGCONT');
    await load.end();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  },
  MINUTES_MS,
);

/** Stops the process at a moment at which a transaction of the services has been begun and says nothing. */
async function stopWhileStoring(process: Replica, { database }: Replicas): Promise<void> {
  for (;;) {
    await process.kill('SIGSTOP');
    await sleep(1_000);
    const idle = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
         AND clock_timestamp() - state_change > interval '900 milliseconds'`,
    );
    if (idle.length > 0) return;
    await process.kill('SIGCONT');
    await sleep(50);
  }
}

test(
  'R9, shown able to fail: a caller that takes its right for granted passes N in a second',
  async () => {
    const cases = await startReplicas({
      mutations: [
        {
          file: 'cases/src/caller/caller-session.ts',
          find: 'isProven: () => !lost.signal.aborted && msSince(proven) < PROVEN_FOR_MS',
          replace: 'isProven: () => true',
        },
        {
          file: 'cases/src/caller/agency-caller.ts',
          find: 'session.lost.throwIfAborted();',
          replace: '',
        },
        {
          file: 'cases/src/data/agency-queue.ts',
          find: '::bigint = (SELECT epoch FROM agency_caller)',
          replace: '::bigint IS NOT NULL',
        },
      ],
    });
    await freezeUnderLoad(cases, 6);
    expect((await cases.calls()).maxInAnySecond).toBeGreaterThan(CALLS_PER_SECOND);
  },
  MINUTES_MS,
);
