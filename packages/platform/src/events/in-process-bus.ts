import type { ServiceName } from '@casewatch/contracts/route-contract';
import { createDatabasePool } from '../db/prisma-adapter.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import { type DeliveryPolicy, defaultPolicy } from './delivery-policy.ts';
import type { EventHandler } from './event-bus.ts';
import { createGroupConsumer, type GroupConsumerOptions } from './group-consumer.ts';
import { keepHouse } from './housekeeping.ts';
import { startOutboxRelay } from './outbox-relay.ts';
import { waitingInOutbox } from './outbox-rows.ts';
import { poolExecutor } from './pool-executor.ts';

export interface InProcessBusOptions {
  logger: Logger;
  clock: Clock;
  /** Every service whose outbox is relayed. */
  sources: readonly { service: ServiceName; databaseUrl: string }[];
  /** Every handler of the product: an event is done when the groups among these have committed. */
  handlers: readonly EventHandler[];
  /** Database of the consuming service: its schema holds inbox and dead letters. */
  databaseUrlFor(group: ServiceName): string;
  policy?: Partial<DeliveryPolicy>;
  /** How often outboxes and asked-for redrives are looked at without being woken. */
  sweepMs?: number;
  /** Done events are kept this long, for whoever wants to look. */
  outboxRetentionMs?: number;
  /** Handled ids are kept this long, and longer while any event waits that is as old. */
  inboxRetentionMs?: number;
  /** Most events of one outbox in memory. */
  window?: number;
  claim?: GroupConsumerOptions['claim'];
}

const DAY_MS = 86_400_000;

export type InProcessBus = Awaited<ReturnType<typeof startInProcessBus>>;

/**
 * The event bus of one process: relays hand the events of every outbox to the consumer groups here, each in a
 * transaction of its own. Survives a crash at any point: what is not done is handed over again, and the inboxes
 * keep its effects from happening twice. Several such processes on one database share the outboxes: each is
 * relayed by one of them at a time.
 */
export async function startInProcessBus(options: InProcessBusOptions) {
  const { clock, logger, sweepMs = 5_000 } = options;
  const policy = { ...defaultPolicy, ...options.policy };

  const poolFor = (service: ServiceName, url: string, maximum: number) =>
    createDatabasePool({ service, url, maximum, logger }).pool;
  const outboxes = options.sources.map(({ service, databaseUrl }) => {
    const pool = poolFor(service, databaseUrl, 2);
    return { service, databaseUrl, pool, sql: poolExecutor(pool) };
  });
  const groups = [...Map.groupBy(options.handlers, ({ group }) => group)].map(([group, handlers]) => {
    const pool = poolFor(group, options.databaseUrlFor(group), policy.concurrency + 1);
    const claim = options.claim ? { claim: options.claim } : {};
    const consumer = createGroupConsumer({ group, handlers, pool, clock, logger, policy, ...claim });
    return { group, pool, sql: poolExecutor(pool), consumer };
  });
  const consumersOf = Map.groupBy(
    groups.flatMap(({ consumer }) => consumer.topics.map((topic) => ({ topic, consumer }))),
    ({ topic }) => topic,
  );

  const relays = outboxes.map(({ service, databaseUrl }) =>
    startOutboxRelay({
      service,
      databaseUrl,
      clock,
      logger,
      sweepMs,
      retentionMs: options.outboxRetentionMs ?? DAY_MS,
      window: options.window ?? 1_000,
      take: async (row) => {
        const taking = (consumersOf.get(row.topic) ?? []).map(({ consumer }) => consumer.take(row));
        // All must end before the row is handed over again, so that nobody gets it beside itself.
        const ends = await Promise.allSettled(taking);
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      },
    }),
  );
  const house = keepHouse({
    clock,
    logger,
    sweepMs,
    inboxRetentionMs: options.inboxRetentionMs ?? 14 * DAY_MS,
    outboxes: outboxes.map(({ sql }) => sql),
    groups,
  });

  /** Whether an event waits in any outbox or a redrive is asked for. */
  async function busy(): Promise<boolean> {
    const waiting = await Promise.all(outboxes.map(({ sql }) => waitingInOutbox(sql)));
    if (waiting.some((outbox) => outbox.waiting > 0)) return true;
    const asked = await Promise.all(
      groups.map(({ group, sql }) =>
        sql.query(
          'SELECT 1 FROM dead_letters WHERE consumer_group = $1 AND redrive_requested_at IS NOT NULL LIMIT 1',
          [group],
        ),
      ),
    );
    return asked.some((rows) => rows.length > 0);
  }

  async function stopAll(): Promise<void> {
    await Promise.all([
      ...relays.map((relay) => relay.stop()),
      ...groups.map(({ consumer }) => consumer.stop()),
      house.stop(),
    ]);
    await Promise.all([...outboxes, ...groups].map(({ pool }) => pool.end()));
  }
  let stopped: Promise<void> | undefined;

  return {
    /**
     * Resolves when everything published so far, and what its handlers published, is handled or set aside.
     * Waits for retries on the bus's clock.
     */
    async idle(): Promise<void> {
      while (await busy()) {
        for (const relay of relays) relay.poke();
        house.poke();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },

    /** Depth and age of each outbox; what each group has in hand and when it last got on. */
    async stats() {
      return {
        outboxes: await Promise.all(
          outboxes.map(async ({ service, sql }, index) => {
            const { waiting, oldestMs } = await waitingInOutbox(sql);
            const ageMs = oldestMs === undefined ? 0 : Math.max(0, clock.nowMs() - oldestMs);
            return { service, waiting, ageMs, leading: relays[index]?.leading() ?? false };
          }),
        ),
        groups: await Promise.all(
          groups.map(async ({ consumer, sql, group }) => {
            const [row] = await sql.query<{ count: number }>(
              'SELECT count(*)::int AS count FROM dead_letters WHERE consumer_group = $1',
              [group],
            );
            return { ...consumer.state(), deadLetters: row?.count ?? 0 };
          }),
        ),
      };
    },

    /** Finishes the handlers that are under way; what waits stays in the outboxes. */
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
