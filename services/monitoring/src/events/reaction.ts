import type { EventBus } from '@casewatch/platform/events/event-bus';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Schedule } from '../data/schedule.ts';

/** What the handlers work with. */
export interface Reaction {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly schedule: Schedule;
}
