import type { EventBus } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Schedule } from '../data/schedule.ts';

/** What the handlers work with. */
export interface Reaction {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly schedule: Schedule;
}
