import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';

/** Consecutive failures after which the agency is left alone. */
const FAILURES_IN_A_ROW = 5;
/** About how long the call takes that tries again. */
const TRIAL_MS = 1_000;

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

export interface AgencyBreaker {
  /**
   * Returns the result of `ask`, or `resting` without running it. A rest holds back the participants whose calls failed, and everyone
   * once these are two users: what one user asks for must not keep the others from the agency. After `restMs` one call tries the
   * agency again, and all others that are held back are answered `resting` until it has ended. Where `ask` throws no call was made: the
   * next one tries.
   * @param participant the user's id; empty for scheduled checks
   */
  run(participant: string, ask: () => Promise<AgencyResult>): Promise<AgencyResult>;
  /** How long the participant is held back; undefined where a call may be made, the one included that tries again. */
  restLeftMs(participant: string): number | undefined;
  /** How many rests in a row there were because no connection came about: the cause may be this process. */
  unconnectedRests(): number;
  /** Whether the agency is left alone: until a call has succeeded, also while one tries. */
  isOpen(): boolean;
}

export function createAgencyBreaker(restMs: number, clock: Pick<Clock, 'nowMs'>): AgencyBreaker {
  let failures = 0;
  let unconnectedRests = 0;
  let openedAtMs: number | undefined;
  let isTrying = false;
  /** Whose calls have failed since the last one that did not. */
  const failed = new Set<string>();

  function isHeldBack(participant: string): boolean {
    const users = failed.has('') ? failed.size - 1 : failed.size;
    return openedAtMs !== undefined && (users > 1 || failed.has(participant));
  }

  function restLeftMs(participant: string): number | undefined {
    if (!isHeldBack(participant)) return undefined;
    return isTrying ? Math.min(TRIAL_MS, restMs) : leftMs();
  }

  /** A clock that was set back ends the rest: it must not last until the clock catches up. */
  function leftMs(): number | undefined {
    const restedMs = clock.nowMs() - (openedAtMs ?? Number.NEGATIVE_INFINITY);
    return restedMs < 0 || restedMs >= restMs ? undefined : restMs - restedMs;
  }

  function count(participant: string, result: AgencyResult): void {
    if (!isUnconnected(result)) unconnectedRests = 0;
    if (!countsAgainst(result)) {
      failures = 0;
      failed.clear();
      openedAtMs = undefined;
      return;
    }
    failures += 1;
    failed.add(participant);
    if (failures < FAILURES_IN_A_ROW || leftMs() !== undefined) return;
    openedAtMs = clock.nowMs();
    if (isUnconnected(result)) unconnectedRests += 1;
  }

  return {
    async run(participant, ask) {
      const retryAfterMs = restLeftMs(participant);
      if (retryAfterMs !== undefined) return { kind: 'failure', failure: { kind: 'resting', retryAfterMs } };
      const begunIn = openedAtMs;
      const isTrial = isHeldBack(participant);
      if (isTrial) isTrying = true;
      try {
        const result = await ask();
        // A call from before a rest says nothing about the agency after it, nor does one from before its end.
        if (openedAtMs === begunIn) count(participant, result);
        return result;
      } finally {
        if (isTrial) isTrying = false;
      }
    },
    restLeftMs,
    unconnectedRests: () => unconnectedRests,
    isOpen: () => openedAtMs !== undefined,
  };
}

function isUnconnected(result: AgencyResult): boolean {
  return result.kind === 'failure' && result.failure.isUnconnected === true;
}

function countsAgainst(result: AgencyResult): boolean {
  return result.kind === 'failure' && COUNTED.includes(result.failure.kind);
}
