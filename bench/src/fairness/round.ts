import { randomUUID } from 'node:crypto';
import type { Requester } from '@casewatch/cases/domain/lookup';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { CALLS_PER_SECOND, openReplica } from './replica.ts';

/** One round of `bench:fairness` in a process of its own: prints its figures as one line of JSON. */
const LIGHT_USERS = 20;
const LIGHT_SHARE = 0.4;
const HEAVY_LOOPS = 100;
const MONITOR_LOOPS = 60;
const WAIT_MS = { user: 4_000, monitor: 2_500 };
const REPLICAS = Number(process.env.REPLICAS ?? 1);
const DATABASE_URL = process.env.DATABASE_URL ?? '';
/** The queue has to fill. */
const WARM_UP_MS = 6_000;
const MEASURED_MS = Number(process.env.SECONDS ?? 25) * 1_000;
const WITH_HEAVY = process.env.HEAVY === '1';

const counts = { light: 0, heavy: 0, monitor: 0, refused: 0 };
const waitsMs: number[] = [];
/** When each measured call was granted. */
const grantedMs: number[] = [];
let numbered = 0;
let measuring = false;
const ending = new AbortController();
const replicas = Array.from({ length: REPLICAS }, (_, nth) =>
  openReplica(DATABASE_URL, `replica ${nth + 1}`, () => {
    if (measuring) grantedMs.push(performance.now());
  }),
);

const loops = [
  ...Array.from({ length: LIGHT_USERS }, (_, nth) => light(nth)),
  ...(WITH_HEAVY ? Array.from({ length: HEAVY_LOOPS }, (_, nth) => busy('heavy', person(999), nth)) : []),
  ...Array.from({ length: MONITOR_LOOPS }, (_, nth) => busy('monitor', { source: 'monitor' }, nth)),
];
await systemClock.sleep(WARM_UP_MS);
measuring = true;
const cpu = process.cpuUsage();
await systemClock.sleep(MEASURED_MS);
measuring = false;
const used = process.cpuUsage(cpu);
ending.abort(new Error('the round is over'));
await Promise.all(loops);
for (const replica of replicas) await replica.stop();

const made = counts.light + counts.heavy + counts.monitor;
console.log(
  `figures ${JSON.stringify({
    ...counts,
    p95WaitMs: waitsMs.sort((a, b) => a - b)[Math.floor(waitsMs.length * 0.95)] ?? 0,
    roundMs: ((LIGHT_USERS + 1 + (WITH_HEAVY ? 1 : 0)) / CALLS_PER_SECOND) * 1_000,
    usedShare: usedShare(grantedMs),
    p50WaitMs: waitsMs[Math.floor(waitsMs.length * 0.5)] ?? 0,
    monitorShare: counts.monitor / made,
    cpuSeconds: (used.user + used.system) / 1e6,
  })}`,
);

/**
 * The share of the allowed calls that were made: by the mean time that half of them took, from each on. Calls may come in
 * bursts, so that the number within a fixed time depends on where it begins.
 */
function usedShare(times: readonly number[]): number {
  const half = Math.floor(times.length / 2);
  const spans = times.slice(half).map((time, nth) => time - (times[nth] ?? time));
  const meanMs = spans.reduce((sum, span) => sum + span, 0) / spans.length;
  return (half * 1_000) / (CALLS_PER_SECOND * meanMs);
}

/**
 * Asks now and then, all of them together for their share of the allowed rate. As a person at the screen does, it asks for
 * the next case when the last one is answered, at once if that was late.
 */
async function light(nth: number): Promise<void> {
  const meanMs = (LIGHT_USERS / (CALLS_PER_SECOND * LIGHT_SHARE)) * 1_000;
  let nextMs = performance.now();
  while (!ending.signal.aborted) {
    nextMs += -Math.log(1 - Math.random()) * meanMs;
    const pauseMs = nextMs - performance.now();
    // The longest of twenty pauses is some nine seconds.
    if (pauseMs > 0) await systemClock.sleep(pauseMs, ending.signal).catch(() => undefined);
    else nextMs = performance.now();
    if (!ending.signal.aborted) await call('light', person(nth, nth % 4 === 0 ? 'pro' : 'free'), nth);
  }
}

/** As many calls as it can get. */
async function busy(role: 'heavy' | 'monitor', by: Participant, nth: number): Promise<void> {
  while (!ending.signal.aborted) if (!(await call(role, by, nth))) await systemClock.sleep(50);
}

async function call(role: 'light' | 'heavy' | 'monitor', by: Participant, nth: number): Promise<boolean> {
  const askedMs = performance.now();
  const measured = measuring;
  const lookup = { id: randomUUID(), requestId: undefined, traceId: undefined, startedAtMs: Date.now() };
  const requester: Requester =
    by.source === 'user'
      ? { ...by, name: 'Ada', lookup: { ...lookup, origin: 'single' } }
      : { source: 'monitor', lookup: { ...lookup, origin: 'scheduled' } };
  numbered += 1;
  const receiptNumber = `WAC${String(numbered).padStart(10, '0')}`;
  const outcome = await replicas[nth % REPLICAS]?.ask(receiptNumber, requester, WAIT_MS[by.source]);
  if (outcome?.kind === 'not-recognised') {
    if (role === 'light' && measured) waitsMs.push(performance.now() - askedMs);
    if (measuring) counts[role] += 1;
    return true;
  }
  if (outcome?.kind !== 'failure') throw new Error(`a lookup ended with ${outcome?.kind}`);
  if (role === 'light' && measured && !ending.signal.aborted) counts.refused += 1;
  return false;
}

type Participant = { source: 'monitor' } | { source: 'user'; userId: string; tier: 'free' | 'pro' };

function person(nth: number, tier: 'free' | 'pro' = 'free'): Participant {
  return { source: 'user', userId: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`, tier };
}
