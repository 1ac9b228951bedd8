import type { ServiceName } from '@casewatch/contracts/route-contract';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type pg from 'pg';
import { type EventHandler, signalCommit } from './event-bus.ts';
import { type EventRecord, metaOf } from './event-record.ts';
import type { EventTelemetry } from './event-telemetry.ts';
import type { claimInInbox } from './inbox.ts';

export type GroupHandlers = ReturnType<typeof createGroupHandlers>;

export interface GroupHandlersOptions {
  group: ServiceName;
  handlers: readonly EventHandler[];
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  claim: typeof claimInInbox;
  telemetry: EventTelemetry;
}

/** Collects the handlers of a group, at most one per event, which run in one transaction with the inbox. */
export function createGroupHandlers(options: GroupHandlersOptions) {
  const { group, pool, clock, logger, claim, telemetry } = options;
  const handlers = new Map<string, EventHandler>();
  for (const handler of options.handlers) {
    if (handlers.has(handler.event.name))
      throw new Error(`${group} has two handlers of ${handler.event.name}`);
    handlers.set(handler.event.name, handler);
    telemetry.handled(group, handler.event.name, 'applied', 0);
  }

  function handlerOf({ topic }: EventRecord): EventHandler {
    const handler = handlers.get(topic);
    if (!handler) throw new Error(`${group} does not handle ${topic}`);
    return handler;
  }

  /** Resolves to the number of events that had not been handled before. */
  async function handleOnce(events: readonly EventRecord[]): Promise<number> {
    const delivered = events.map((event) => ({ json: event.payload, meta: metaOf(event), event }));
    const [first] = delivered;
    if (!first) return 0;
    const handler = handlerOf(first.event);
    const applied = await inTransaction(pool, async (tx) => {
      const ids = events.map(({ id }) => id);
      const fresh = await claim(tx, group, ids, clock.nowMs());
      // An event may be delivered twice in one batch: only the first of them is new.
      const received = delivered.filter(({ event }) => fresh.delete(event.id));
      if (received.length > 1 && handler.handleBatch) await handler.handleBatch(received, tx);
      else for (const { json, meta } of received) await handler.handle(json, meta, tx);
      return received.length;
    });
    signalCommit(handler, delivered, logger);
    return applied;
  }

  return {
    topics: [...handlers.keys()],

    /** Returns the handler of an event. @throws for one that the group does not handle. */
    of: handlerOf,

    /** Handles those that have not been handled before, and counts them. All are of one type, or there is only one. */
    async handle(events: readonly EventRecord[]): Promise<void> {
      const topic = events[0]?.topic ?? '';
      const applied = await telemetry.handling(group, events, () => handleOnce(events));
      telemetry.handled(group, topic, 'applied', applied);
      telemetry.handled(group, topic, 'duplicate', events.length - applied);
    },
  };
}
