import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { DeliveryPolicy } from '../src/delivery-policy.ts';
import type { EventHandler } from '../src/event-bus.ts';
import type { GroupConsumerOptions } from '../src/group-consumer.ts';
import type { EventsDatabase } from './events-database.ts';

/** One process's share of the bus. */
export interface Member {
  /** Resolves when everything published so far, and what its handlers published, is handled or dead-lettered by every group. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface MemberOptions {
  handlers: readonly EventHandler[];
  clock?: Clock;
  policy?: Partial<DeliveryPolicy>;
  sweepMs?: number;
  window?: number;
  /** Replaces the inbox: for the tests that show its purpose. */
  claim?: GroupConsumerOptions['claim'];
}

/** What the contract needs of an adapter, whatever its broker. */
export interface BusHarness {
  readonly database: EventsDatabase;
  startMember(options: MemberOptions): Promise<Member>;
  /** Makes the bus deliver again everything that was ever published, from the beginning. */
  replay(): Promise<void>;
  close(): Promise<void>;
}
