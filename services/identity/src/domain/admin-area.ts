import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AdminThrottle } from './admin-throttle.ts';
import type { Passcode } from './passcode.ts';
import type { SessionLifetime } from './session.ts';
import type { Store } from './store.ts';

/** What the use cases of the admin session work with. */
export interface AdminArea {
  readonly store: Store;
  /** Undefined: the area is off. */
  readonly passcode: Passcode | undefined;
  readonly throttle: AdminThrottle;
  readonly clock: Clock;
  readonly lifetime: SessionLifetime;
}
