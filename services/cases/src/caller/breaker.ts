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
   * Returns the result of `ask`, or `resting` without running it. After `restMs` one call tries the agency again, and all
   * others are answered `resting` until it has ended. Where `ask` throws no call was made: the next one tries.
   */
  run(ask: () => Promise<AgencyResult>): Promise<AgencyResult>;
  /** How long the agency is left alone; undefined where a call may be made, the one included that tries again. */
  restLeftMs(): number | undefined;
  /** How many rests in a row there were because no connection came about: the fault may be this process's. */
  unreachableRests(): number;
  /** Whether the agency is left alone: until a trial has succeeded, also while one is in flight. */
  isOpen(): boolean;
}

export function createAgencyBreaker(restMs: number, clock: Pick<Clock, 'nowMs'>): AgencyBreaker {
  let failures = 0;
  let unreachableRests = 0;
  let openedAtMs: number | undefined;
  let isTrying = false;

  const resting = (retryAfterMs: number): AgencyResult => ({
    kind: 'failure',
    failure: { kind: 'resting', retryAfterMs },
  });

  function restLeftMs(): number | undefined {
    if (openedAtMs === undefined) return undefined;
    if (isTrying) return Math.min(TRIAL_MS, restMs);
    const restedMs = clock.nowMs() - openedAtMs;
    // A clock that was set back ends the rest: it must not last until the clock catches up.
    return restedMs < 0 || restedMs >= restMs ? undefined : restMs - restedMs;
  }

  function count(result: AgencyResult): void {
    failures = countsAgainst(result) ? failures + 1 : 0;
    if (!isUnreachable(result)) unreachableRests = 0;
    if (failures < FAILURES_IN_A_ROW) return;
    openedAtMs = clock.nowMs();
    if (isUnreachable(result)) unreachableRests += 1;
  }

  async function tryAgain(ask: () => Promise<AgencyResult>): Promise<AgencyResult> {
    isTrying = true;
    try {
      const result = await ask();
      openedAtMs = undefined;
      failures = countsAgainst(result) ? FAILURES_IN_A_ROW - 1 : 0;
      count(result);
      return result;
    } finally {
      isTrying = false;
    }
  }

  return {
    async run(ask) {
      const leftMs = restLeftMs();
      if (leftMs !== undefined) return resting(leftMs);
      if (openedAtMs !== undefined) return tryAgain(ask);
      const result = await ask();
      // A call from before the rest says nothing of the agency after it: the trial decides.
      if (openedAtMs === undefined) count(result);
      return result;
    },
    restLeftMs,
    unreachableRests: () => unreachableRests,
    isOpen: () => openedAtMs !== undefined,
  };
}

function isUnreachable(result: AgencyResult): boolean {
  return result.kind === 'failure' && result.failure.kind === 'unreachable';
}

function countsAgainst(result: AgencyResult): boolean {
  return result.kind === 'failure' && COUNTED.includes(result.failure.kind);
}
