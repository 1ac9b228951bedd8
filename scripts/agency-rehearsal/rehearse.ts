import type { AgencyCalls } from '@casewatch/cases/caller/agency-calls';
import type { AgencyResult } from '@casewatch/cases/domain/agency';
import type { FailureKind } from '@casewatch/cases/domain/agency-failure';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { RecordFile, RehearsedDay } from './rehearsal-record.ts';
import { OPEN_MS, opensMs } from './sandbox-days.ts';

/** Receipt numbers that the sandbox publishes, all with a history. */
export const KNOWN: readonly string[] = [
  ...['403', '404', '405', '410', '411', '416', '419'].map((end) => `EAC9999103${end}`),
  ...['498', '499', '504', '505', '506'].map((end) => `LIN9999106${end}`),
  ...['777', '778', '779', '780', '781', '782', '783', '784', '785', '786', '787'].map(
    (end) => `SRC9999102${end}`,
  ),
  ...['710', '719'].map((end) => `SRC9999132${end}`),
];
/** Well-formed, and of no service center. */
const UNKNOWN = 'ZZZ9999999999';
/** One digit short. */
const MALFORMED = 'EAC999910340';
/** Where they are among ten calls; the others ask for known ones. */
const MIX: Readonly<Record<number, string>> = { 2: UNKNOWN, 5: MALFORMED, 8: UNKNOWN };
export const MIX_SIZE = 10;

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Where an earlier call would only get the same answer. After a refused token, the next call has another. */
const PAUSE_MINUTES: Partial<Record<FailureKind, number>> = {
  ...{ unavailable: 10, maintenance: 10, 'rate-limited': 5 },
  ...{ timeout: 5, unreachable: 5, unexpected: 5 },
};
/** What the calls of a process that was killed end in. */
const UNRECORDED = 'answer not recorded';

export interface RehearsalDeps {
  readonly calls: Pick<AgencyCalls, 'token' | 'call'>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Ends the rehearsal when it aborts, after the call that is in flight. */
  readonly signal: AbortSignal;
}

/**
 * Makes the calls of the record that are still to come, one after the other at their times, and returns when all are made
 * or left out, or the signal aborts. A call is noted before it is sent, so that it is never made twice, and is left out
 * when half the time to the next one has passed: after a pause the calls continue at their usual distance.
 * @throws where the keys are refused at the beginning, or the record cannot be written
 */
export async function rehearse({ record, save }: RecordFile, deps: RehearsalDeps): Promise<void> {
  const { calls, clock, signal } = deps;
  const { callsPerDay } = record.plan;
  const distanceMs = OPEN_MS / callsPerDay;
  const days = record.days.filter(({ next }) => next < callsPerDay);
  if (days.length > 0) await requireKeys();
  for (const day of days) {
    while (day.next < callsPerDay) {
      const dueMs = opensMs(day.date) + (day.next + 0.5) * distanceMs;
      if (!(await waitUntil(dueMs, clock, signal))) return;
      const nth = day.next++;
      if (dueMs < record.pausedUntilMs) add(day.leftOut, 'during a pause');
      else if (clock.nowMs() > dueMs + distanceMs / 2) add(day.leftOut, 'not running');
      else await callOnce(day, numberOf(nth));
    }
    save();
  }

  async function requireKeys(): Promise<void> {
    const token = await calls.token();
    if (!('failure' in token) || token.failure.kind !== 'credentials') return;
    throw new Error(`The agency refuses the keys: ${token.failure.agencyMessage ?? token.failure.detail}`);
  }

  async function callOnce(day: RehearsedDay, receiptNumber: string): Promise<void> {
    const token = await calls.token();
    if ('failure' in token) {
      add(day.leftOut, 'no token');
      return pause(5 * MINUTE_MS);
    }
    day.lastMs = clock.nowMs();
    day.firstMs ??= day.lastMs;
    add(day.calls, UNRECORDED);
    save();
    const call = { receiptNumber, source: 'monitor', timeoutMs: deps.timeoutMs } as const;
    const sent = await calls.call({ ...call, maySend: () => true, onHead: () => {} }, token.token);
    add(day.calls, UNRECORDED, -1);
    add(day.calls, String(sent.record.statusCode ?? 'no answer'));
    pause(pauseMsAfter(sent.result, clock.nowMs()));
    save();
  }

  function pause(ms: number): void {
    if (ms > 0) record.pausedUntilMs = clock.nowMs() + ms;
  }
}

function numberOf(nth: number): string {
  return MIX[nth % MIX_SIZE] ?? KNOWN[nth % KNOWN.length] ?? '';
}

function pauseMsAfter(result: AgencyResult, nowMs: number): number {
  if (result.kind !== 'failure') return 0;
  // The quota starts anew at midnight GMT.
  if (result.failure.kind === 'quota-spent') return DAY_MS - (nowMs % DAY_MS);
  return (PAUSE_MINUTES[result.failure.kind] ?? 0) * MINUTE_MS;
}

/** Returns false when the signal aborts first. In small steps: a timer does not notice that the machine slept. */
async function waitUntil(atMs: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const leftMs = atMs - clock.nowMs();
    if (leftMs <= 0) return true;
    await clock.sleep(Math.min(leftMs, MINUTE_MS), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  return false;
}

function add(counts: Record<string, number>, name: string, by = 1): void {
  const total = (counts[name] ?? 0) + by;
  if (total === 0) delete counts[name];
  else counts[name] = total;
}
