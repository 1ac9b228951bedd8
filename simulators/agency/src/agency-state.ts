import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { type CallCounter, createCallCounter } from './call-counter.ts';
import { type CallLimits, createCallLimits, type Limits } from './call-limits.ts';
import { type CaseStore, createCaseStore } from './case-store.ts';
import { createFaults, type Faults } from './faults.ts';
import { createMovedClock, type MovedClock } from './moved-clock.ts';

/** Everything one simulator remembers; gone when its process ends. */
export interface AgencyState {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: MovedClock;
  readonly tokens: AccessTokens;
  readonly limits: CallLimits;
  readonly calls: CallCounter;
  readonly cases: CaseStore;
  readonly faults: Faults;
  /** Added to every answer of the agency's endpoints. */
  latencyMs: number;
}

export function createAgencyState(options: {
  clientId: string;
  clientSecret: string;
  clock: Clock;
  limits: Limits;
}): AgencyState {
  return {
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    clock: createMovedClock(options.clock),
    tokens: createAccessTokens(),
    limits: createCallLimits(options.limits),
    calls: createCallCounter(),
    cases: createCaseStore(),
    faults: createFaults(),
    latencyMs: 0,
  };
}

/**
 * Back to how it started. Tokens stay good, so that a reset costs the client no refresh; only when the clock was
 * moved they end, because their times mean nothing any more.
 */
export function resetState(state: AgencyState): void {
  if (state.clock.aheadMs() > 0) state.tokens.revokeAll();
  state.clock.reset();
  state.tokens.resetCount();
  state.limits.reset();
  state.calls.reset();
  state.cases.reset();
  state.faults.clear();
  state.latencyMs = 0;
}
