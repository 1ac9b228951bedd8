import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { type Clock, WOKEN } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import pg from 'pg';
import type { OutboxHints } from './outbox-hints.ts';
import { loadWaiting, markDone, type OutboxRow, pruneOutbox, SHARDS } from './outbox-rows.ts';
import { createPollDelay, HINT_EVERY_MS } from './poll-delay.ts';
import { createRelayWindow, LOADED_PER_KEY } from './relay-window.ts';
import { createShardLeases, LEASE_MS, RENEW_EVERY_MS, type ShardLeases } from './shard-leases.ts';

export interface OutboxRelayOptions {
  service: ServiceName;
  /** Leads to PostgreSQL itself, or to a pooler in session mode that passes `options` on: leases belong to the session. */
  databaseUrl: string;
  clock: Clock;
  logger: Logger;
  /** Done events are kept this long. */
  retentionMs: number;
  /** Most events in flight at a time: the rest stays in the table. */
  window: number;
  /** Of publishers in this process; without them events are found by polling. */
  hints?: Pick<OutboxHints, 'listen'>;
  /**
   * Dispatches one event; resolves when it is settled, rejects when it must be dispatched again later.
   * Called in order per topic and key, without waiting for the one before.
   */
  dispatch(row: OutboxRow): Promise<void>;
}

const RECONNECT_MS = 500;
const PRUNE_EVERY_MS = 3_600_000;
const END_TIMEOUT_MS = 2_000;

/**
 * Relays a service's events from its outbox, in order per topic and key. Relays of other processes share the outbox: each
 * leases some of its shards. Polls at once while there is more than it can load, else every 25 to 400 ms, and soon after
 * a hint. Leases, reads and marks on one connection: a relay that has lost its leases can neither load nor mark on it.
 * ADR 37 says why order holds also when a slow relay dispatches what it loaded before it lost them.
 */
export function startOutboxRelay(options: OutboxRelayOptions) {
  const { service, clock } = options;
  const log = createOutageLog(options.logger.child({ outbox: service }), {
    outage: 'outbox relay: database unavailable, reconnecting',
    recovery: 'outbox relay: database available, relaying',
  });
  const schema = schemaOf(service);
  const channel = `outbox_${schema}`;
  /** Tells this relay's own notifications from those of others. */
  const relayId = randomUUID();
  const stopping = new AbortController();
  const signal = createSignal();
  const delay = createPollDelay(clock, { hints: options.hints !== undefined });
  /** Outlives the connection: what is in flight when it is lost is neither loaded again nor forgotten. */
  const window = createRelayWindow();
  const dispatched = new Set<Promise<void>>();
  let settled: OutboxRow[] = [];
  let leases: ShardLeases | undefined;
  let mustLoad = false;
  let mustRenew = true;
  let mustNotify = false;
  let notifiedMs = Number.NEGATIVE_INFINITY;
  let pruneAtMs = clock.nowMs();
  let surplusSinceMs: number | undefined;

  const unlisten = options.hints?.listen(service, () => {
    if (!delay.hint()) return;
    mustNotify = true;
    signal.notify();
  });
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
      // A mark that is lost with the server's last moments has its event dispatched twice, which the inbox takes care of.
      // Statistics of a queue are stale whenever it fills or empties, so plans are kept to the indexes made for them.
      options: `-c search_path=${schema} -c idle_session_timeout=${LEASE_MS} -c synchronous_commit=off
        -c enable_seqscan=off -c enable_bitmapscan=off`,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 20_000,
    });
    const lost = new AbortController();
    const lose = (reason?: unknown) => {
      lost.abort(reason instanceof Error ? reason : new Error('relay connection lost'));
      signal.notify();
    };
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ payload }) => {
      if (payload !== relayId && delay.hint()) signal.notify();
    });
    // The server measures the leases, so this is real time whatever the clock says.
    const renewing = setInterval(() => {
      mustRenew = true;
      signal.notify();
    }, RENEW_EVERY_MS);
    try {
      await client.connect();
      await requireSession(client);
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      log.recovered();
      await work(client, lost.signal);
    } finally {
      clearInterval(renewing);
      leases = undefined;
      await withTimeout(client.end(), END_TIMEOUT_MS, 'timed out closing the relay connection').catch(
        () => undefined,
      );
    }
  }

  async function relayUntilLost(client: pg.Client, lost: AbortSignal): Promise<void> {
    const sql = preparedSqlOf(client);
    leases = createShardLeases(sql, schema);
    mustRenew = true;
    while (!stopping.signal.aborted) {
      lost.throwIfAborted();
      if (mustRenew) await renew(sql, leases);
      await flush(sql);
      await releaseSurplus(leases);
      if (delay.isOver()) mustLoad = true;
      if (mustLoad && window.size() <= options.window / 2) await load(sql, leases);
      if (settled.length === 0) await pause();
    }
    // The next holder of a shard should not dispatch what this one still has in flight.
    await Promise.all(dispatched);
    if (!lost.aborted) await flush(sql);
  }

  /** Renews the leases; the relay that holds the first shard also prunes. */
  async function renew(sql: SqlExecutor, leases: ShardLeases): Promise<void> {
    mustRenew = false;
    const before = leases.held.size;
    await leases.renew();
    if (leases.held.size > before) mustLoad = true;
    if (leases.held.has(0) && clock.nowMs() >= pruneAtMs) {
      const pruned = await pruneOutbox(sql, clock.nowMs() - options.retentionMs);
      if (pruned > 0) mustRenew = true;
      else pruneAtMs = clock.nowMs() + PRUNE_EVERY_MS;
    }
  }

  /** Gives up shards beyond this relay's share once nothing of them is in flight, or after a while: an event may be stuck. */
  async function releaseSurplus(leases: ShardLeases): Promise<void> {
    const surplus = surplusOf(leases);
    if (surplus.length === 0) surplusSinceMs = undefined;
    else surplusSinceMs ??= clock.nowMs();
    const overdue = clock.nowMs() - (surplusSinceMs ?? clock.nowMs()) >= LEASE_MS;
    for (const shard of surplus) if (overdue || window.inShard(shard) === 0) await leases.release(shard);
  }

  function surplusOf({ held, surplus }: ShardLeases): readonly number[] {
    return surplus() === 0 ? [] : [...held].slice(-surplus());
  }

  async function load(sql: SqlExecutor, leases: ShardLeases): Promise<void> {
    mustLoad = false;
    if (mustNotify) await notifyOthers(sql, leases);
    const surplus = surplusOf(leases);
    const shards = [...leases.held].filter((shard) => !surplus.includes(shard));
    if (shards.length === 0) return delay.found(0);
    const { rows, more } = await loadWaiting(sql, {
      shards,
      except: window.seqs(),
      exceptKeys: window.crowdedKeys(),
      perShard: Math.ceil((options.window - window.size()) / shards.length),
      perKey: LOADED_PER_KEY,
    });
    for (const row of rows) dispatch(row);
    if (more) mustLoad = true;
    delay.found(rows.length);
  }

  /** Hints at events of shards that relays in other processes hold; outside of transactions, and rarely. */
  async function notifyOthers(sql: SqlExecutor, { held }: ShardLeases): Promise<void> {
    mustNotify = false;
    if (held.size === SHARDS || clock.nowMs() - notifiedMs < HINT_EVERY_MS) return;
    notifiedMs = clock.nowMs();
    await sql.query('SELECT pg_notify($1, $2)', [channel, relayId]);
  }

  function dispatch(row: OutboxRow): void {
    window.add(row);
    const dispatching = options
      .dispatch(row)
      .then(
        () => {
          settled.push(row);
        },
        () => {
          window.remove(row);
        },
      )
      .finally(() => {
        dispatched.delete(dispatching);
        signal.notify();
      });
    dispatched.add(dispatching);
  }

  async function flush(sql: SqlExecutor): Promise<void> {
    if (settled.length === 0) return;
    const rows = settled;
    settled = [];
    try {
      await markDone(
        sql,
        rows.map(({ seq }) => seq),
        clock.nowMs(),
      );
    } catch (error) {
      settled = [...rows, ...settled];
      throw error;
    }
    for (const row of rows) if (window.remove(row)) mustLoad = true;
  }

  /** Waits until the next poll at most: for a hint, a settled event, the time to renew, the loss of the connection or a stop. */
  async function pause(): Promise<void> {
    const slept = new AbortController();
    await signal.wait(clock.sleep(delay.remainingMs(), slept.signal).catch(() => undefined));
    slept.abort(WOKEN);
  }

  return {
    service,
    /** How many shards of the outbox this process relays now. */
    shards: () => leases?.held.size ?? 0,
    /** Polls the outbox now. */
    poke(): void {
      mustLoad = true;
      signal.notify();
    },
    /** Waits for events in flight; the sink must have been stopped before, or still settle them. */
    async stop(): Promise<void> {
      unlisten?.();
      stopping.abort(new Error('stopped'));
      signal.notify();
      await running;
      await Promise.all(dispatched);
    },
  };
}

/** @throws when the session's settings were lost on the way, as a pooler may: then no lease would end with a relay that hangs. */
async function requireSession(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ lease: string }>(
    `SELECT setting AS lease FROM pg_settings WHERE name = 'idle_session_timeout'`,
  );
  if (rows[0]?.lease === String(LEASE_MS)) return;
  throw new Error('the relay needs a session of its own: set DATABASE_DIRECT_URL to PostgreSQL itself');
}

/** Prepares each statement once per connection: a poll is the same statement every time. */
function preparedSqlOf(client: pg.Client): SqlExecutor {
  const names = new Map<string, string>();
  return {
    query: async <Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> => {
      const name = names.get(text) ?? `relay_${names.size}`;
      names.set(text, name);
      return (await client.query({ name, text, values: [...parameters] })).rows;
    },
  };
}
