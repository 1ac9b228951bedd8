import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import {
  CALLS_PER_SECOND,
  KILLS,
  type ReplicaOptions,
  receipt,
  startLoad,
  startReplicas,
  user,
} from '../replicas.ts';

const MINUTES_MS = 60_000 * (KILLS + 1);
const CALLER = 'cases/src/caller/caller-session.ts';

/** Kills the caller while lookups wait; resolves to how long it took until the next call. */
async function killUnderLoad(rounds: number, options: ReplicaOptions = {}) {
  const cases = await startReplicas(options);
  const load = startLoad(cases);
  const pausesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await vi.waitFor(
      async () => expect((await cases.calls()).total).toBeGreaterThan(30 * (round + 1)),
      30_000,
    );
    const victim = await cases.caller();
    load.leaveOut(victim);
    await victim.kill('SIGKILL');
    pausesMs.push(await cases.msToNextCall(15_000));
    await victim.restart();
    load.takeIn(victim);
  }
  await sleep(1_500);
  return { cases, pausesMs, answers: await load.end() };
}

test(
  'R9: the caller of six replicas is killed: N in no second are passed, the next call comes within 4 s, and nothing is lost',
  async () => {
    const { cases, pausesMs, answers } = await killUnderLoad(KILLS);
    expect((await cases.calls()).maxInAnySecond).toBeLessThanOrEqual(CALLS_PER_SECOND);
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(4_000);
    // Requests to a process that was killed got no answer (0); everyone else got theirs.
    const others = answers.filter(({ status }) => status !== 0);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    const cut = new Set(
      answers.filter(({ status }) => status === 0).map(({ receiptNumber }) => receiptNumber),
    );
    // One row for each lookup, and none twice.
    const rows = (await cases.events('lookups-recorded')).flatMap(
      ({ lookups }) => lookups as { id: string; receiptNumber: string; outcome: string }[],
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const answered = rows.filter(({ receiptNumber }) => !cut.has(receiptNumber));
    expect(answered.map(({ receiptNumber }) => receiptNumber).sort()).toEqual(
      others.map(({ receiptNumber }) => receiptNumber).sort(),
    );
    const observed = (await cases.events('case-observed')).map(({ receiptNumber }) => receiptNumber);
    expect(new Set(observed).size).toBe(observed.length);
  },
  MINUTES_MS,
);

test(
  'R9, shown able to fail: a caller that calls at once passes N in a second',
  async () => {
    const { cases } = await killUnderLoad(2, {
      mutations: [
        { file: CALLER, find: 'beginInMs: row.lost > 0 ? LOST_CALLER_MS : 0', replace: 'beginInMs: 0' },
      ],
    });
    expect((await cases.calls()).maxInAnySecond).toBeGreaterThan(CALLS_PER_SECOND);
  },
  MINUTES_MS,
);

/** Kills the caller in the fourth pause in a row, of 8 s, while a lookup waits; resolves to whether a call was made in it. */
async function killInPause(options: ReplicaOptions = {}) {
  const cases = await startReplicas({ count: 3, ...options });
  const victim = await cases.caller();
  const other = cases.replicas.find((replica) => replica !== victim);
  if (!other) throw new Error('there is no other replica');
  await cases.control('PUT', '/faults', { mode: 'rate-limited' });
  for (let pauses = 0; pauses < 4; pauses += 1) {
    await vi.waitFor(
      async () => {
        await cases.check(other, [receipt(pauses)]);
        expect((await cases.stored())?.pauses).toBeGreaterThan(pauses);
      },
      { timeout: 30_000, interval: 100 },
    );
  }
  const { total } = await cases.calls();
  await cases.control('PUT', '/faults', { mode: 'none' });
  const look = cases.lookUp(other, receipt(100), user(1));
  await victim.kill('SIGKILL');
  await cases.caller();
  const afterwards = await cases.stored();
  let calledInPause = false;
  while ((await cases.stored())?.paused) calledInPause ||= (await cases.calls()).total > total;
  return { cases, afterwards, calledInPause, status: (await look).status };
}

test(
  'R9: a caller is killed during a pause that the agency asked for: the next one respects it, and how many there were',
  async () => {
    const { cases, afterwards, calledInPause, status } = await killInPause();
    expect(afterwards).toMatchObject({ paused: true, pauses: 4 });
    expect(calledInPause).toBe(false);
    expect(status).toBe(200);
    await expect.poll(cases.stored).toMatchObject({ pauses: 0 });
  },
  MINUTES_MS,
);

test(
  'R9, shown able to fail: a caller that does not know of the pause calls in it',
  async () => {
    const { calledInPause } = await killInPause({
      mutations: [{ file: CALLER, find: 'leftMs: row.pausedMs ?? 0', replace: 'leftMs: 0' }],
    });
    expect(calledInPause).toBe(true);
  },
  MINUTES_MS,
);
