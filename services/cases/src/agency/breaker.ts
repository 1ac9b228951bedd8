import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from 'cockatiel';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';

/** So many failures without an answer in between, and the agency is left alone. */
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
   * Runs `ask`, or answers `resting` without running it. After `restMs` one call tries the agency again, and all others are
   * answered `resting` until it has. Where `ask` throws no call was made: the next one tries.
   */
  run(ask: () => Promise<AgencyResult>): Promise<AgencyResult>;
  /** Whether the agency is left alone: until a call has succeeded again, also while one tries it. */
  isOpen(): boolean;
}

export function createAgencyBreaker(restMs: number): AgencyBreaker {
  const policy = circuitBreaker(
    handleWhenResult((result) => countsAgainst(result as AgencyResult)),
    { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW) },
  );
  const resting = (retryAfterMs: number): AgencyResult => ({
    kind: 'failure',
    failure: { kind: 'resting', retryAfterMs },
  });
  /** What the library waits for while it is half open: it takes whatever ends for a call. */
  let trial: { called: PromiseWithResolvers<AgencyResult>; counted: Promise<AgencyResult>; isTaken: boolean };

  /** Whether the rest is over. */
  function beginTrial(): boolean {
    const called = Promise.withResolvers<AgencyResult>();
    const counted = policy.execute(() => called.promise);
    counted.catch(() => undefined);
    if (policy.state === CircuitState.Open) return false;
    trial = { called, counted, isTaken: false };
    return true;
  }

  async function tryAgain(ask: () => Promise<AgencyResult>): Promise<AgencyResult> {
    if (trial.isTaken) return resting(Math.min(TRIAL_MS, restMs));
    trial.isTaken = true;
    try {
      trial.called.resolve(await ask());
    } catch (error) {
      trial.isTaken = false;
      throw error;
    }
    return trial.counted;
  }

  return {
    async run(ask) {
      if (policy.state === CircuitState.Open && !beginTrial()) return resting(restMs);
      return policy.state === CircuitState.HalfOpen ? tryAgain(ask) : policy.execute(ask);
    },
    isOpen: () => policy.state !== CircuitState.Closed,
  };
}

function countsAgainst(result: AgencyResult): boolean {
  return result.kind === 'failure' && COUNTED.includes(result.failure.kind);
}
