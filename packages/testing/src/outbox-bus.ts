import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { TestDatabase } from './test-database.ts';

export interface PublishedEvent {
  readonly name: string;
  readonly payload: unknown;
}

export interface OutboxBus extends EventBus {
  /** While true every publish rejects, as when the outbox cannot be written. */
  isBroken: boolean;
  /** While true every publish rejects as if the database were unavailable. */
  isUnavailable: boolean;
}

/** More round trips than any caller has statements left after its publish. */
const ROUND_TRIPS = 6;

/**
 * Publishes to the service's real outbox, so that an event counts only when its transaction commits. Each publish
 * takes several round trips: a caller that does not await it commits first, and the publish then rejects without a
 * handler, which fails the run. Rejects a publish outside a transaction too, unless it is meant to be one by itself.
 */
export function createOutboxBus(clock: Clock): OutboxBus {
  const outbox = createOutboxPublisher({ clock });
  const bus: OutboxBus = {
    isBroken: false,
    isUnavailable: false,
    publish: (tx, event, payload) => bus.publishAll(tx, event, [payload]),
    async publishAll(tx, event, payloads) {
      if (bus.isBroken) throw new Error('the outbox cannot be written');
      if (bus.isUnavailable) throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });
      const write = () => outbox.publishAll(tx, event, payloads);
      await (tx.isStatement ? write() : inOneTransaction(tx, write));
    },
  };
  return bus;
}

/** Returns the committed events of a service, oldest first. */
export async function publishedEvents(
  database: TestDatabase,
  service: ServiceName,
): Promise<PublishedEvent[]> {
  return database.query(`SELECT topic AS name, payload FROM ${schemaOf(service)}.outbox ORDER BY seq`);
}

/** Empties the service's outbox, so that a test sees only what comes after. */
export async function forgetEvents(database: TestDatabase, service: ServiceName): Promise<void> {
  await database.query(`DELETE FROM ${schemaOf(service)}.outbox`);
}

async function inOneTransaction(tx: SqlExecutor, write: () => Promise<void>): Promise<void> {
  const begun = await transactionId(tx);
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    if ((await transactionId(tx)) !== begun)
      throw new Error('published outside the transaction, or not awaited');
  }
  await write();
}

async function transactionId(tx: SqlExecutor): Promise<string> {
  const [row] = await tx.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id', []);
  return row?.id ?? '';
}
