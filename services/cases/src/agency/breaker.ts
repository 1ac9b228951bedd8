import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';

/** So many failures without an answer in between, and the agency is left alone. */
const FAILURES_IN_A_ROW = 5;

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
  /** Runs `ask`, or answers `resting` without running it. One call tries again after `restMs`. */
  run(ask: () => Promise<AgencyResult>): Promise<AgencyResult>;
  /** Whether the agency is left alone: until a call has succeeded again, also while one tries it. */
  isOpen(): boolean;
}

export function createAgencyBreaker(restMs: number): AgencyBreaker {
  const policy = circuitBreaker(
    handleWhenResult((result) => countsAgainst(result as AgencyResult)),
    { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW) },
  );
  return {
    async run(ask) {
      try {
        return await policy.execute(ask);
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        return { kind: 'failure', failure: { kind: 'resting', retryAfterMs: restMs } };
      }
    },
    isOpen: () => policy.state !== CircuitState.Closed,
  };
}

function countsAgainst(result: AgencyResult): boolean {
  return result.kind === 'failure' && COUNTED.includes(result.failure.kind);
}
