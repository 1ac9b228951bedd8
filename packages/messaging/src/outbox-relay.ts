import type { ServiceName } from '@casewatch/contracts/route-contract';
import { sqlOfClient } from '@casewatch/service-kit/database/consumer-transaction';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import pg from 'pg';
import { loadWaiting, markDone, type OutboxRow, pruneOutbox } from './outbox-rows.ts';

export interface OutboxRelayOptions {
  service: ServiceName;
  databaseUrl: string;
  clock: Clock;
  logger: Logger;
  /** Interval at which the outbox is polled besides notifications. */
  sweepMs: number;
  /** Done events are kept this long. */
  retentionMs: number;
  /** Most events in flight at a time: the rest stays in the table. */
  window: number;
  /**
   * Dispatches one event; resolves when it is settled, rejects when it must be dispatched again later.
   * Called in order per topic and key, without waiting for the one before.
   */
  dispatch(row: OutboxRow): Promise<void>;
}

const RECONNECT_MS = 500;
const PRUNE_EVERY_MS = 3_600_000;
/** Most events of one key to load at once, and to have in flight: a blocked key must not fill the window. */
const LOADED_PER_KEY = 10;
const END_TIMEOUT_MS = 2_000;
const LOST = 'relay connection lost';

/**
 * Relays a service's events from its outbox, oldest first. One relay per outbox is active among all processes:
 * the one that holds an advisory lock, on the connection that it also reads and writes with; when it dies, its
 * lock ends with its connection and another relay takes over. Wakes on NOTIFY and sweeps on a timer.
 */
export function startOutboxRelay(options: OutboxRelayOptions) {
  const { service, clock, sweepMs } = options;
  const log = createOutageLog(options.logger.child({ outbox: service }), {
    outage: 'outbox relay: database unavailable, reconnecting',
    recovery: 'outbox relay: database available, relaying',
  });
  const schema = schemaOf(service);
  const stopping = new AbortController();
  const signal = createSignal();
  let leading = false;
  let mustLoad = true;

  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await connected(relayUntilLost);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.failed(error);
        await clock.sleep(RECONNECT_MS, stopping.signal).catch(() => undefined);
      }
    }
  }

  async function connected(work: (client: pg.Client, lost: AbortSignal) => Promise<void>): Promise<void> {
    const client = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: `casewatch-relay-${service}`,
      options: `-c search_path=${schema}`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 20_000,
    });
    const lost = new AbortController();
    const lose = (reason?: unknown) => {
      lost.abort(reason instanceof Error ? reason : new Error(LOST));
      signal.notify();
    };
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', () => {
      mustLoad = true;
      signal.notify();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(`outbox_${schema}`)}`);
      log.recovered();
      await work(client, lost.signal);
    } finally {
      leading = false;
      await withTimeout(client.end(), END_TIMEOUT_MS, 'timed out closing the relay connection').catch(
        () => undefined,
      );
    }
  }

  async function relayUntilLost(client: pg.Client, lost: AbortSignal): Promise<void> {
    const lockName = `casewatch outbox ${schema}`;
    while (!stopping.signal.aborted) {
      lost.throwIfAborted();
      const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked', [
        lockName,
      ]);
      if (rows[0]?.locked) return lead(client, lost);
      await pause();
    }
  }

  /** Relays as the leader of this outbox, until it is stopped or its connection is lost. */
  async function lead(client: pg.Client, lost: AbortSignal): Promise<void> {
    leading = true;
    const sql = sqlOfClient(client);
    /** Dispatched and not yet marked as done. */
    const inFlight = new Map<string, OutboxRow>();
    const dispatched = new Set<Promise<void>>();
    let settled: string[] = [];
    let pruneAtMs = clock.nowMs();
    mustLoad = true;

    function dispatch(row: OutboxRow): void {
      inFlight.set(row.seq, row);
      const dispatching = options
        .dispatch(row)
        .then(
          () => {
            settled.push(row.seq);
          },
          () => {
            inFlight.delete(row.seq);
          },
        )
        .finally(() => {
          dispatched.delete(dispatching);
          signal.notify();
        });
      dispatched.add(dispatching);
    }

    async function flush(): Promise<void> {
      const seqs = settled;
      settled = [];
      if (seqs.length === 0) return;
      await markDone(sql, seqs, clock.nowMs());
      for (const seq of seqs) inFlight.delete(seq);
    }

    /** Returns whether there may be more to load when an event has settled. */
    async function load(): Promise<boolean> {
      const limit = options.window - inFlight.size;
      const exceptKeys = fullKeys(inFlight.values());
      const except = [...inFlight.keys()];
      const rows = await loadWaiting(sql, { except, exceptKeys, limit, perKey: LOADED_PER_KEY });
      for (const row of rows) dispatch(row);
      const full = fullKeys(inFlight.values()).length;
      // Further events of these keys may have hidden those of other keys.
      if (full > exceptKeys.length && inFlight.size < options.window) return load();
      return rows.length === limit || full > 0;
    }

    try {
      while (!stopping.signal.aborted) {
        lost.throwIfAborted();
        await flush();
        if (mustLoad && inFlight.size <= options.window / 2) {
          mustLoad = false;
          if (await load()) mustLoad = true;
        }
        if (clock.nowMs() >= pruneAtMs) {
          const pruned = await pruneOutbox(sql, clock.nowMs() - options.retentionMs);
          pruneAtMs = pruned > 0 ? clock.nowMs() : clock.nowMs() + PRUNE_EVERY_MS;
        }
        if (settled.length === 0) await pause();
      }
    } finally {
      // The next leader must not dispatch what this one still has in flight.
      await Promise.all(dispatched);
      if (!lost.aborted) await flush();
    }
  }

  /** Waits for a notification, a settled event, the loss of the connection or a stop; at most until the next sweep. */
  async function pause(): Promise<void> {
    const slept = new AbortController();
    const sweep = clock.sleep(sweepMs, slept.signal).then(
      () => {
        mustLoad = true;
      },
      () => undefined,
    );
    await signal.wait(sweep);
    slept.abort();
  }

  return {
    service,
    /** Whether this process relays the outbox now; otherwise another does, or the database is unavailable. */
    leading: () => leading,
    /** Polls the outbox now. */
    poke(): void {
      mustLoad = true;
      signal.notify();
    },
    /** Waits for events in flight; the sink must have been stopped before, or still settle them. */
    async stop(): Promise<void> {
      stopping.abort(new Error('stopped'));
      signal.notify();
      await running;
    },
  };
}

function fullKeys(rows: Iterable<OutboxRow>): string[] {
  const perKey = new Map<string, number>();
  for (const { topic, key } of rows) {
    const name = `${topic} ${key}`;
    perKey.set(name, (perKey.get(name) ?? 0) + 1);
  }
  return [...perKey].filter(([, count]) => count >= LOADED_PER_KEY).map(([name]) => name);
}
