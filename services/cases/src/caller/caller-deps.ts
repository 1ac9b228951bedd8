import type { Tier } from '@casewatch/contracts/limits';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Signal } from '@casewatch/service-kit/runtime/signal';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import type { BudgetMetrics } from '../agency/agency-metrics.ts';
import type { CallerQueue, Freshness } from '../domain/agency-queue.ts';
import type { CaseStore } from '../domain/case-store.ts';
import type { AgencyCalls } from './agency-calls.ts';
import type { AgencyBreaker } from './breaker.ts';
import type { CallRule } from './call-slots.ts';

/** What the caller of the agency needs. */
export interface CallerDeps {
  readonly queue: CallerQueue;
  readonly cases: Pick<CaseStore, 'record'>;
  readonly calls: Omit<AgencyCalls, 'keyStates'>;
  readonly breaker: AgencyBreaker;
  readonly metrics: BudgetMetrics;
  /** Notified when lookups have ended. */
  readonly ended: Pick<Signal, 'notify'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracing: Tracing;
  readonly rule: CallRule;
  /** Calls of one user in a round of the order. */
  readonly weights: Readonly<Record<Tier, number>>;
  /** An answer that is fresh enough for people. */
  readonly fresh: Freshness;
  /** For one lookup, a second try included. */
  readonly timeoutMs: number;
}
