import type { EventType } from '@casewatch/contracts/event-type';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import type { EventRecord } from '@casewatch/messaging/event-record';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { registry } from '../../src/registry.ts';
import { loadServices } from '../../src/roles.ts';

const WATCHING: readonly ServiceName[] = ['cases', 'monitoring', 'notifications'];
export type Consumers = Awaited<ReturnType<typeof startConsumers>>;

/** The consumer groups of whole services on one database; without a relay, so that a test decides what comes when. */
export async function startConsumers() {
  const clock = createManualClock();
  const logger = pino({ level: 'silent' });
  const database = await createTestDatabase();
  const definitions = await loadServices(registry.filter(({ name }) => WATCHING.includes(name)));
  const services = await Promise.all(
    definitions.map((definition) =>
      startTestService(definition, {
        database,
        clock,
        bus: createOutboxPublisher({ clock }),
        env: { AGENCY_CLIENT_ID: 'none', AGENCY_CLIENT_SECRET: 'none' },
      }),
    ),
  );
  const groups = services.map(({ service: { consumers } }) => {
    const group = consumers[0]?.group ?? 'cases';
    const pool = createDatabasePool({ url: database.urlFor(group), service: group, maximum: 5, logger });
    const policy = { ...defaultPolicy, retryDelaysMs: [] };
    return {
      pool,
      consumer: createGroupConsumer({ group, handlers: consumers, pool, clock, logger, policy }),
    };
  });
  return {
    clock,
    database,
    record: <Payload>(event: EventType<Payload>, payload: Payload, atMs: number): EventRecord => ({
      id: uuidV7(atMs),
      topic: event.name,
      key: event.key(payload),
      payload: event.encode(payload),
      headers: { ce_time: new Date(atMs).toISOString() },
    }),
    /** To every group that handles it; resolves when all have. */
    async deliver(record: EventRecord): Promise<void> {
      const taking = groups.filter(({ consumer }) => consumer.topics.includes(record.topic));
      await Promise.all(taking.map(({ consumer }) => consumer.dispatch(record)));
    },
    /** What the handlers have published since the last call, in order. */
    async published(): Promise<EventRecord[]> {
      const taken = await Promise.all(
        WATCHING.map((service) =>
          database.query<{
            id: string;
            topic: string;
            key: string;
            payload: unknown;
            headers: Record<string, string>;
            seq: number;
          }>(
            `WITH taken AS (UPDATE ${service}.outbox SET done_at = now() WHERE done_at IS NULL RETURNING *)
             SELECT seq::int, id, topic, key, payload, headers FROM taken ORDER BY seq`,
          ),
        ),
      );
      return taken.flat();
    },
    async stop(): Promise<void> {
      for (const { consumer, pool } of groups) {
        await consumer.stop();
        await pool.end();
      }
      for (const service of services) await service.stop();
      await database.drop();
    },
  };
}
