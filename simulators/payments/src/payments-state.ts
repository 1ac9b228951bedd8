import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createFaults, type Faults } from './control/faults.ts';
import { createRequestLog, type RequestLog } from './control/request-log.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './http/idempotency.ts';
import { createMovedClock, type MovedClock } from './moved-clock.ts';
import type { SavedState } from './state-file.ts';
import { createStore, type Store } from './store.ts';

/** Everything one simulator remembers. */
export interface PaymentsState {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly clock: MovedClock;
  readonly store: Store;
  readonly events: EventLog;
  readonly idempotency: IdempotencyKeys;
  readonly faults: Faults;
  readonly requests: RequestLog;
  /** How long a payment with the processing card is under way; infinite: until the control API settles it. */
  readonly settleAfterMs: number;
  /** Where browsers reach this server, for the addresses of its pages; known once it listens. */
  baseUrl: string;
}

export function createPaymentsState(options: {
  secretKey: string;
  publishableKey: string;
  clock: Clock;
  settleAfterMs: number;
  saved: SavedState | undefined;
}): PaymentsState {
  const { saved } = options;
  const clock = createMovedClock(options.clock, saved?.aheadMs);
  const store = saved?.store ?? createStore();
  return {
    secretKey: options.secretKey,
    publishableKey: options.publishableKey,
    clock,
    store,
    events: createEventLog(store.events, clock),
    idempotency: createIdempotencyKeys(saved?.idempotency),
    faults: createFaults(),
    requests: createRequestLog(),
    settleAfterMs: options.settleAfterMs,
    baseUrl: '',
  };
}
