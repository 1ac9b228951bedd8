import type { ServiceName } from '@casewatch/contracts/route-contract';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { BusLevels } from './bus-levels.ts';
import { countDeadLetters, isRedriveRequested } from './dead-letters.ts';
import { type DeliveryPolicy, defaultPolicy } from './delivery-policy.ts';
import type { EventHandler } from './event-bus.ts';
import { type EventTelemetry, noEventTelemetry } from './event-telemetry.ts';
import { createGroupConsumer, type GroupConsumerOptions } from './group-consumer.ts';
import { startMaintenance } from './maintenance.ts';
import { type OutboxHints, type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.ts';
import { countEvents, waitingInOutbox } from './outbox-rows.ts';

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
  /** Most events in memory: of one topic of an outbox for one consumer, and of one partition of a broker. */
  window?: number;
  claim?: GroupConsumerOptions['claim'];
  telemetry?: EventTelemetry;
}

export const DEFAULT_WINDOW = 1_000;
const DAY_MS = 86_400_000;
/** Of done events, for inspection and `publish-again`. */
const OUTBOX_RETENTION_MS = DAY_MS;
/** Of handled ids; longer while an event as old is still pending. */
const INBOX_RETENTION_MS = 14 * DAY_MS;

/** Opens the outboxes and consumer groups of one process, with what they need in either transport. */
export function openBusParts(options: BusOptions) {
  const { clock, logger, claim, sweepMs = 5_000, telemetry = noEventTelemetry } = options;
  const policy = { ...defaultPolicy, ...options.policy };
  const poolFor = (service: ServiceName, url: string, maximum: number) =>
    createDatabasePool({ service, url, maximum, logger });

  const outboxes = options.sources.map(({ service, databaseUrl, directUrl = databaseUrl }) => {
    const pool = poolFor(service, databaseUrl, 2);
    return { service, directUrl, pool, sql: poolExecutor(pool) };
  });
  const groups = [...Map.groupBy(options.handlers, ({ group }) => group)].map(([group, handlers]) => {
    const pool = poolFor(group, options.databaseUrlFor(group), policy.concurrency + 1);
    const consumer = createGroupConsumer({ group, handlers, pool, clock, logger, policy, telemetry, claim });
    return { group, pool, sql: poolExecutor(pool), consumer };
  });

  const countAll = () => Promise.all(outboxes.map(({ sql }) => countEvents(sql)));

  return {
    groups,

    /** One relay per outbox, all with the same consumers. An event counts as published once, when its first consumer has it. */
    startRelays: (
      dispatch: OutboxRelayOptions['dispatch'],
      { consumersOf = () => [], ...rest }: Pick<OutboxRelayOptions, 'consumersOf' | 'maxPollMs'> = {},
    ) =>
      outboxes.map(({ service, directUrl }) =>
        startOutboxRelay({
          service,
          databaseUrl: directUrl,
          clock,
          logger,
          retentionMs: OUTBOX_RETENTION_MS,
          window: options.window ?? DEFAULT_WINDOW,
          ...(options.hints ? { hints: options.hints } : {}),
          consumersOf,
          ...rest,
          dispatch: (row, consumer) => {
            const [first = consumer] = consumersOf(row.topic);
            if (consumer !== first) return dispatch(row, consumer);
            return telemetry.publishing(row, (traced) => dispatch(traced, consumer));
          },
        }),
      ),

    startMaintenance: () =>
      startMaintenance({
        clock,
        logger,
        sweepMs,
        inboxRetentionMs: INBOX_RETENTION_MS,
        outboxes: outboxes.map(({ sql }) => sql),
        groups,
      }),

    /**
     * Returns whether an event is pending in any outbox or a redrive is requested. Each outbox is read at a moment of its own: an
     * event that is published in between, by the handler of another's, counts as pending.
     */
    async busy(): Promise<boolean> {
      const before = await countAll();
      if (before.some(({ pending }) => pending > 0)) return true;
      const requested = await Promise.all(groups.map(({ group, sql }) => isRedriveRequested(sql, group)));
      if (requested.includes(true)) return true;
      const after = await countAll();
      return after.some(({ events }, index) => events !== before[index]?.events);
    },

    /** Depth and age of each outbox; lag and dead letters of each group. */
    levels: async (
      lagOf: (group: ServiceName) => number | undefined,
      topicsWithFewPartitions = 0,
    ): Promise<BusLevels> => ({
      topicsWithFewPartitions,
      outboxes: await Promise.all(
        outboxes.map(async ({ service, sql }) => {
          const { waiting, oldestMs } = await waitingInOutbox(sql);
          const nowMs = clock.nowMs();
          return { service, waiting, ageMs: Math.max(0, nowMs - (oldestMs ?? nowMs)) };
        }),
      ),
      groups: await Promise.all(
        groups.map(async ({ group, sql }) => ({
          group,
          lag: lagOf(group),
          deadLetters: await countDeadLetters(sql, group),
        })),
      ),
    }),

    /** Closes the pools; call it after everything that uses them has stopped. */
    async close(): Promise<void> {
      await Promise.all([...outboxes, ...groups].map(({ pool }) => pool.end()));
    },
  };
}
