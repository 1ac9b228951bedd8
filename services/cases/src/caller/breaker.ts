import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AgencyResult } from '../domain/agency.ts';
import type { AgencyFailure, FailureKind } from '../domain/agency-failure.ts';

/** Consecutive failures after which the agency is left alone. */
const FAILURES_IN_A_ROW = 5;
/** After this time it is first tried for those whose calls have not failed; and about how long the call takes that tries again. */
const TRIAL_MS = 1_000;
/** For this number of rests after a failure, another one of the same user or case is not independent of it. */
const KNOWN_FOR_RESTS = 10;

/**
 * What counts against the agency. Not: a refusal or a 429, which are answers; nor an unreadable body, which the agency
 * gives again and again for some receipt numbers while the others are well; nor what our own budget refuses.
 */
const COUNTED: readonly FailureKind[] = [
  'unavailable',
  'maintenance',
  'unexpected',
  'timeout',
  'unreachable',
  'credentials',
];

/** What a call is made for. */
export interface Asking {
  /** The user's id; empty for scheduled checks. */
  readonly participant: string;
  readonly receiptNumber: string;
}

export interface AgencyBreaker {
  /**
   * Returns the result of `ask`, or `resting` without running it. Five failures in a row hold back the cases that failed and the users with
   * two of them, for `restMs`; then one call at a time tries again. Where five of them were each of another user (or check) and another case, none of
   * which had failed lately, the agency is down, and all others are held back as well, but for one call of people and one check after a second, then
   * after ever longer times up to `restMs`: calls are counted by the day. Any answer ends this. Where `ask` throws no call was made, and nothing is counted.
   */
  run(asking: Asking, ask: () => Promise<AgencyResult>): Promise<AgencyResult>;
  /** Why and for how long the call is held back; undefined where it may be made, the one included that tries again. */
  restOf(asking: Asking): AgencyFailure | undefined;
  /** How many rests in a row there were because no connection came about: the cause may be this process. */
  unconnectedRests(): number;
  /** Whether everyone is held back: until a call has succeeded, also while one tries. */
  isOpen(): boolean;
}

export function createAgencyBreaker(restMs: number, clock: Pick<Clock, 'nowMs'>): AgencyBreaker {
  const firstTrialMs = Math.min(TRIAL_MS, restMs);
  let trialMs = firstTrialMs;
  let failures = 0;
  /** Those of them that are independent of each other, and of earlier ones. */
  let independentFailures = 0;
  let unconnectedRests = 0;
  let openedAtMs: number | undefined;
  let isTrying = false;
  /** When people and checks whose calls have not failed tried last, or the rest began. */
  let triedAtMs = { people: 0, checks: 0 };
  /** The cases that have failed since the last answer, and the users with theirs. */
  const cases = new Set<string>();
  const users = new Map<string, Set<string>>();
  /** When users and cases failed last, since their own last answer; the oldest first. */
  const known = new Map<string, number>();

  const isOpen = () => openedAtMs !== undefined && independentFailures >= FAILURES_IN_A_ROW;
  const sideOf = ({ participant }: Asking) => (participant === '' ? 'checks' : 'people');

  function holdOf({ participant, receiptNumber }: Asking): 'own' | 'outage' | undefined {
    if (openedAtMs === undefined) return undefined;
    const casesOfUser = users.get(participant)?.size ?? 0;
    if (cases.has(receiptNumber) || casesOfUser > 1) return 'own';
    if (isOpen()) return casesOfUser > 0 ? 'own' : 'outage';
    return undefined;
  }

  function restLeftMs(asking: Asking): number | undefined {
    const hold = holdOf(asking);
    if (hold === undefined) return undefined;
    if (hold === 'outage') return leftMs(triedAtMs[sideOf(asking)], trialMs);
    return isTrying ? firstTrialMs : leftMs(openedAtMs ?? 0, restMs);
  }

  /** A clock that was set back ends the rest: it must not last until the clock catches up. */
  function leftMs(sinceMs: number, forMs: number): number | undefined {
    const restedMs = clock.nowMs() - sinceMs;
    return restedMs < 0 || restedMs >= forMs ? undefined : forMs - restedMs;
  }

  function restOf(asking: Asking): AgencyFailure | undefined {
    const retryAfterMs = restLeftMs(asking);
    if (retryAfterMs === undefined) return undefined;
    // A retry time in the result of one check holds back all checks, so the check of a case that failed gets none.
    const isOwn = asking.participant === '' && cases.has(asking.receiptNumber);
    return isOwn ? { kind: 'resting' } : { kind: 'resting', retryAfterMs };
  }

  function count(asking: Asking, result: AgencyResult): void {
    if (!isUnconnected(result)) unconnectedRests = 0;
    if (!countsAgainst(result)) {
      end(asking);
      return;
    }
    failures += 1;
    if (isIndependent(asking)) independentFailures += 1;
    note(asking);
    if (failures < FAILURES_IN_A_ROW) return;
    if (openedAtMs !== undefined && leftMs(openedAtMs, restMs) !== undefined) return;
    openedAtMs = clock.nowMs();
    triedAtMs = { people: openedAtMs, checks: openedAtMs };
    if (isUnconnected(result)) unconnectedRests += 1;
  }

  function end({ participant, receiptNumber }: Asking): void {
    failures = 0;
    independentFailures = 0;
    openedAtMs = undefined;
    trialMs = firstTrialMs;
    cases.clear();
    users.clear();
    known.delete(participant);
    known.delete(receiptNumber);
  }

  /** A user or a case that fails again and again says no more of the agency than it did the first time. */
  function isIndependent({ participant, receiptNumber }: Asking): boolean {
    for (const [name, atMs] of known) {
      if (leftMs(atMs, restMs * KNOWN_FOR_RESTS) !== undefined) break;
      known.delete(name);
    }
    return !known.has(participant) && !known.has(receiptNumber);
  }

  function note({ participant, receiptNumber }: Asking): void {
    cases.add(receiptNumber);
    if (participant !== '') users.set(participant, (users.get(participant) ?? new Set()).add(receiptNumber));
    for (const name of [participant, receiptNumber]) {
      if (name === '') continue;
      known.delete(name);
      known.set(name, clock.nowMs());
    }
  }

  return {
    async run(asking, ask) {
      const rest = restOf(asking);
      if (rest) return { kind: 'failure', failure: rest };
      const begunIn = openedAtMs;
      const hold = holdOf(asking);
      if (hold === 'own') isTrying = true;
      if (hold === 'outage') triedAtMs[sideOf(asking)] = clock.nowMs();
      try {
        const result = await ask();
        // A call from before a rest says nothing about the agency after it, nor does one from before its end.
        if (openedAtMs === begunIn) count(asking, result);
        if (hold === 'outage') trialMs = isOpen() ? Math.min(2 * trialMs, restMs) : firstTrialMs;
        return result;
      } finally {
        if (hold === 'own') isTrying = false;
      }
    },
    restOf,
    unconnectedRests: () => unconnectedRests,
    isOpen,
  };
}

function isUnconnected(result: AgencyResult): boolean {
  return result.kind === 'failure' && result.failure.isUnconnected === true;
}

function countsAgainst(result: AgencyResult): boolean {
  return result.kind === 'failure' && COUNTED.includes(result.failure.kind);
}
