import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Store } from './store.ts';

/** What the use cases work with. */
export interface SurveysService {
  readonly store: Store;
  readonly clock: Clock;
}
