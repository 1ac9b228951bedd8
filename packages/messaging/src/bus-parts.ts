import type { ServiceName } from '@casewatch/contracts/route-contract';
import { poolExecutor } from '@casewatch/service-kit/database/pool-executor';
import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type DeliveryPolicy, defaultPolicy } from './delivery-policy.ts';
import type { EventHandler } from './event-bus.ts';
import { type EventTelemetry, noEventTelemetry } from './event-telemetry.ts';
import { createGroupConsumer, type GroupConsumerOptions } from './group-consumer.ts';
import { keepHouse } from './housekeeping.ts';
import { type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.ts';
import { waitingInOutbox } from './outbox-rows.ts';

/** What every adapter of the event bus is started with. */
export interface BusOptions {
  logger: Logger;
  clock: Clock;
  /** Every service whose outbox is relayed. */
  sources: readonly { service: ServiceName; databaseUrl: string }[];
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
  /** Most events of one outbox, and of one partition of a broker, in memory. */
  window?: number;
  claim?: GroupConsumerOptions['claim'];
  telemetry?: EventTelemetry;
}

export const DEFAULT_WINDOW = 1_000;
const DAY_MS = 86_400_000;

/** The outboxes and the consumer groups of one process, and what they need whatever carries events between them. */
export function openBusParts(options: BusOptions) {
  const { clock, logger, sweepMs = 5_000, telemetry = noEventTelemetry } = options;
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
    const consumer = createGroupConsumer({
      group,
      handlers,
      pool,
      clock,
      logger,
      policy,
      telemetry,
      ...claim,
    });
    return { group, pool, sql: poolExecutor(pool), consumer };
  });

  return {
    groups,

    /** One relay per outbox, all with the same sink. */
    startRelays: (take: OutboxRelayOptions['take']) =>
      outboxes.map(({ service, databaseUrl }) =>
        startOutboxRelay({
          service,
          databaseUrl,
          clock,
          logger,
          sweepMs,
          retentionMs: options.outboxRetentionMs ?? DAY_MS,
          window: options.window ?? DEFAULT_WINDOW,
          take: (row) => telemetry.publishing(row, take),
        }),
      ),

    keepHouse: () =>
      keepHouse({
        clock,
        logger,
        sweepMs,
        inboxRetentionMs: options.inboxRetentionMs ?? 14 * DAY_MS,
        outboxes: outboxes.map(({ sql }) => sql),
        groups,
      }),

    /** Whether an event waits in any outbox or a redrive is asked for. */
    async busy(): Promise<boolean> {
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
    },

    /** Depth and age of each outbox. */
    outboxStats: () =>
      Promise.all(
        outboxes.map(async ({ service, sql }) => {
          const { waiting, oldestMs } = await waitingInOutbox(sql);
          const ageMs = oldestMs === undefined ? 0 : Math.max(0, clock.nowMs() - oldestMs);
          return { service, waiting, ageMs };
        }),
      ),

    /** What each group has in hand and when it last got on. */
    groupStats: () =>
      Promise.all(
        groups.map(async ({ consumer, sql, group }) => {
          const [row] = await sql.query<{ count: number }>(
            'SELECT count(*)::int AS count FROM dead_letters WHERE consumer_group = $1',
            [group],
          );
          return { ...consumer.state(), deadLetters: row?.count ?? 0 };
        }),
      ),

    /** After everything that uses them has stopped. */
    async close(): Promise<void> {
      await Promise.all([...outboxes, ...groups].map(({ pool }) => pool.end()));
    },
  };
}
