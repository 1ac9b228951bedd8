import type { ServiceName } from '@casewatch/contracts/route-contract';
import { createDatabasePool } from '@casewatch/service-kit/database/prisma-adapter';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type DeliveryPolicy, defaultPolicy } from './delivery-policy.ts';
import type { EventHandler } from './event-bus.ts';
import { type EventTelemetry, noEventTelemetry } from './event-telemetry.ts';
import { createGroupConsumer, type GroupConsumerOptions } from './group-consumer.ts';
import { startMaintenance } from './maintenance.ts';
import type { OutboxHints } from './outbox-hints.ts';
import { type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.ts';
import { waitingInOutbox } from './outbox-rows.ts';

/** Options of every adapter of the event bus. */
export interface BusOptions {
  logger: Logger;
  clock: Clock;
  /** Every service whose outbox is relayed; `directUrl` for the relay's session where the other leads to a transaction pooler. */
  sources: readonly { service: ServiceName; databaseUrl: string; directUrl?: string }[];
  handlers: readonly EventHandler[];
  /** Database of the consuming service: its schema holds inbox and dead letters. */
  databaseUrlFor(group: ServiceName): string;
  policy?: Partial<DeliveryPolicy>;
  /** Interval at which requested redrives are looked for. */
  sweepMs?: number;
  /** Of the publishers in this process. */
  hints?: OutboxHints;
  /** Retention of done events, for inspection and `publish-again`. */
  outboxRetentionMs?: number;
  /** Retention of handled ids; longer while an event as old is still pending. */
  inboxRetentionMs?: number;
  /** Most events of one outbox, and of one partition of a broker, in memory. */
  window?: number;
  claim?: GroupConsumerOptions['claim'];
  telemetry?: EventTelemetry;
}

export const DEFAULT_WINDOW = 1_000;
const DAY_MS = 86_400_000;

/** Opens the outboxes and consumer groups of one process, with what they need in either transport. */
export function openBusParts(options: BusOptions) {
  const { clock, logger, sweepMs = 5_000, telemetry = noEventTelemetry } = options;
  const policy = { ...defaultPolicy, ...options.policy };
  const poolFor = (service: ServiceName, url: string, maximum: number) =>
    createDatabasePool({ service, url, maximum, logger }).pool;

  const outboxes = options.sources.map(({ service, databaseUrl, directUrl = databaseUrl }) => {
    const pool = poolFor(service, databaseUrl, 2);
    return { service, directUrl, pool, sql: poolExecutor(pool) };
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

  async function isPending(): Promise<boolean> {
    const waiting = await Promise.all(outboxes.map(({ sql }) => waitingInOutbox(sql)));
    return waiting.some((outbox) => outbox.waiting > 0);
  }

  /** Of each outbox, done events included. */
  function countPublished(): Promise<number[]> {
    return Promise.all(
      outboxes.map(async ({ sql }) => {
        const [row] = await sql.query<{ count: number }>('SELECT count(*)::int AS count FROM outbox', []);
        return row?.count ?? 0;
      }),
    );
  }

  async function isRedriveRequested(): Promise<boolean> {
    const requested = await Promise.all(
      groups.map(({ group, sql }) =>
        sql.query(
          'SELECT 1 FROM dead_letters WHERE consumer_group = $1 AND redrive_requested_at IS NOT NULL LIMIT 1',
          [group],
        ),
      ),
    );
    return requested.some((rows) => rows.length > 0);
  }

  return {
    groups,

    /** One relay per outbox, all with the same sink. */
    startRelays: (dispatch: OutboxRelayOptions['dispatch']) =>
      outboxes.map(({ service, directUrl }) =>
        startOutboxRelay({
          service,
          databaseUrl: directUrl,
          clock,
          logger,
          retentionMs: options.outboxRetentionMs ?? DAY_MS,
          window: options.window ?? DEFAULT_WINDOW,
          ...(options.hints ? { hints: options.hints } : {}),
          dispatch: (row) => telemetry.publishing(row, dispatch),
        }),
      ),

    startMaintenance: () =>
      startMaintenance({
        clock,
        logger,
        sweepMs,
        inboxRetentionMs: options.inboxRetentionMs ?? 14 * DAY_MS,
        outboxes: outboxes.map(({ sql }) => sql),
        groups,
      }),

    /**
     * Returns whether an event is pending in any outbox or a redrive is requested. Each outbox is read at a moment of its own: an
     * event that one of them gets meanwhile, from the handler of another's, counts as pending.
     */
    async busy(): Promise<boolean> {
      if (await isPending()) return true;
      const before = await countPublished();
      if ((await isPending()) || (await isRedriveRequested())) return true;
      const after = await countPublished();
      return after.some((count, index) => count !== before[index]);
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

    /** Events in flight of each group, and the time of its last progress. */
    groupStats: () =>
      Promise.all(
        groups.map(async ({ consumer, sql, group }) => {
          const [row] = await sql.query<{ count: number }>(
            'SELECT count(*)::int AS count FROM (SELECT FROM dead_letters WHERE consumer_group = $1 LIMIT 10000) AS counted',
            [group],
          );
          return { ...consumer.state(), deadLetters: row?.count ?? 0 };
        }),
      ),

    /** Closes the pools; call it after everything that uses them has stopped. */
    async close(): Promise<void> {
      await Promise.all([...outboxes, ...groups].map(({ pool }) => pool.end()));
    },
  };
}
