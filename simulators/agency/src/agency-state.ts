import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { type CallCounter, createCallCounter } from './call-counter.ts';
import { type CallLimits, createCallLimits, type Limits } from './call-limits.ts';
import { type CaseStore, createCaseStore, type Population } from './case-store.ts';
import { createFaults, type Faults } from './faults.ts';

/** Who may have tokens. */
export interface AgencyClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Everything one simulator remembers, until its process ends. */
export interface AgencyState {
  clients: readonly AgencyClient[];
  readonly clock: MovedClock;
  readonly tokens: AccessTokens;
  readonly limits: CallLimits;
  readonly calls: CallCounter;
  readonly cases: CaseStore;
  readonly faults: Faults;
  /** Until a reset, which goes back to that of the start. */
  population: Population;
  readonly startPopulation: Population;
  /** Added to every answer of the agency's endpoints. */
  latencyMs: number;
}

export function createAgencyState(options: {
  client: AgencyClient;
  clock: Clock;
  limits: Limits;
  population: Population;
}): AgencyState {
  return {
    clients: [options.client],
    clock: createMovedClock(options.clock),
    tokens: createAccessTokens(),
    limits: createCallLimits(options.limits),
    calls: createCallCounter(),
    cases: createCaseStore(),
    faults: createFaults(),
    population: options.population,
    startPopulation: options.population,
    latencyMs: 0,
  };
}

/**
 * Returns to the initial state. Tokens stay valid, so that a reset costs the client no refresh, unless the clock was
 * moved: then their times are meaningless.
 */
export function resetState(state: AgencyState): void {
  if (state.clock.aheadMs() > 0) state.tokens.revokeAll();
  state.clock.reset();
  state.tokens.resetCount();
  state.limits.reset();
  state.calls.reset();
  state.cases.reset();
  state.faults.clear();
  state.population = state.startPopulation;
  state.latencyMs = 0;
}

/** A clock that runs ahead of the one below by what it was moved. */
export interface MovedClock extends Clock {
  advance(ms: number): void;
  /** How far ahead it is. */
  aheadMs(): number;
  reset(): void;
}

/** `sleep` lasts as long as on the clock below: moving this one ends no sleep. */
export function createMovedClock(base: Clock): MovedClock {
  let ahead = 0;
  return {
    nowMs: () => base.nowMs() + ahead,
    sleep: (ms, signal) => base.sleep(ms, signal),
    advance: (ms) => {
      ahead += ms;
    },
    aheadMs: () => ahead,
    reset: () => {
      ahead = 0;
    },
  };
}
