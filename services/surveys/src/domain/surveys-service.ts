import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Store } from './store.ts';

/** What the use cases work with. */
export interface SurveysService {
  readonly store: Store;
  readonly clock: Clock;
}
