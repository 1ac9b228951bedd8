import { offerPro } from './billing/catalog.ts';
import type { PaymentsState } from './payments-state.ts';

/** Back to how it started: no customers, the offer as it was, the clock where the real one is. */
export function resetState(state: PaymentsState): void {
  for (const collection of Object.values(state.store)) collection.clear();
  state.idempotency.clear();
  state.faults.clear();
  state.requests.clear();
  state.clock.reset();
  offerPro(state);
}
