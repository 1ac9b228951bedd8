import type { ServiceName } from '@casewatch/contracts/route-contract';
import { sqlOfClient } from '@casewatch/service-kit/database/consumer-transaction';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createTroubleLog } from '@casewatch/service-kit/runtime/trouble-log';
import pg from 'pg';
import { loadWaiting, markDone, type OutboxRow, pruneOutbox } from './outbox-rows.ts';
import { createWakeUp } from './wake-up.ts';

export interface OutboxRelayOptions {
  service: ServiceName;
  databaseUrl: string;
  clock: Clock;
  logger: Logger;
  /** Looks at the outbox this often, whether woken or not. */
  sweepMs: number;
  /** Done events are kept this long. */
  retentionMs: number;
  /** Most events in hand at a time: the rest waits in the table. */
  window: number;
  /**
   * Hands one event on; resolves when it needs no further care, rejects when it must be handed over again later.
   * Called in order per topic and key, without waiting for the one before.
   */
  take(row: OutboxRow): Promise<void>;
}

const RECONNECT_MS = 500;
const PRUNE_EVERY_MS = 3_600_000;
/** Events of one key in hand: a key that can't go on must not fill the window. */
const WINDOW_PER_KEY = 20;
const END_TIMEOUT_MS = 2_000;
const LOST = 'the connection ended';

/**
 * Takes a service's events from its outbox, oldest first. Among all processes one relay per outbox is at work:
 * the one that holds the advisory lock of its connection, on which it also reads and marks; when it dies, its
 * lock goes with its connection and another takes over. Woken by NOTIFY; sweeps besides.
 */
export function startOutboxRelay(options: OutboxRelayOptions) {
  const { service, clock, sweepMs } = options;
  const log = createTroubleLog(options.logger.child({ outbox: service }), {
    trouble: 'the outbox is out of reach; trying again',
    over: 'the outbox is within reach again',
  });
  const schema = schemaOf(service);
  const stopping = new AbortController();
  const bell = createWakeUp();
  let leading = false;
  let mustLook = true;

  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await connected(relayUntilLost);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.trouble(error);
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
      bell.ring();
    };
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', () => {
      mustLook = true;
      bell.ring();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(`outbox_${schema}`)}`);
      log.over();
      await work(client, lost.signal);
    } finally {
      leading = false;
      await withTimeout(client.end(), END_TIMEOUT_MS, 'no end').catch(() => undefined);
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

  /** The one relay of this outbox, until it is stopped or its connection is lost. */
  async function lead(client: pg.Client, lost: AbortSignal): Promise<void> {
    leading = true;
    const sql = sqlOfClient(client);
    /** What was handed on and is not marked as done yet. */
    const inHand = new Map<string, OutboxRow>();
    const handedOn = new Set<Promise<void>>();
    let settled: string[] = [];
    let pruneAtMs = clock.nowMs();
    mustLook = true;

    function handOn(row: OutboxRow): void {
      inHand.set(row.seq, row);
      const taking = options
        .take(row)
        .then(
          () => {
            settled.push(row.seq);
          },
          () => {
            inHand.delete(row.seq);
          },
        )
        .finally(() => {
          handedOn.delete(taking);
          bell.ring();
        });
      handedOn.add(taking);
    }

    async function flush(): Promise<void> {
      const seqs = settled;
      settled = [];
      if (seqs.length === 0) return;
      await markDone(sql, seqs, clock.nowMs());
      for (const seq of seqs) inHand.delete(seq);
    }

    /** Whether there may be more to load at once. */
    async function load(): Promise<boolean> {
      const limit = options.window - inHand.size;
      const exceptKeys = crowdedKeys(inHand.values());
      const rows = await loadWaiting(sql, { except: [...inHand.keys()], exceptKeys, limit });
      for (const row of rows) handOn(row);
      return rows.length === limit || exceptKeys.length > 0;
    }

    try {
      while (!stopping.signal.aborted) {
        lost.throwIfAborted();
        await flush();
        if (mustLook && inHand.size <= options.window / 2) {
          mustLook = false;
          if (await load()) mustLook = true;
        }
        if (clock.nowMs() >= pruneAtMs) {
          const pruned = await pruneOutbox(sql, clock.nowMs() - options.retentionMs);
          pruneAtMs = pruned > 0 ? clock.nowMs() : clock.nowMs() + PRUNE_EVERY_MS;
        }
        if (settled.length === 0) await pause();
      }
    } finally {
      // The next leader must not hand on what this one still has under way.
      await Promise.all(handedOn);
      if (!lost.aborted) await flush();
    }
  }

  /** Until somebody rings: a notification, a settled event, the end of the connection, a stop; or the next sweep. */
  async function pause(): Promise<void> {
    const enough = new AbortController();
    const sweep = clock.sleep(sweepMs, enough.signal).then(
      () => {
        mustLook = true;
      },
      () => undefined,
    );
    await bell.wait(sweep);
    enough.abort();
  }

  return {
    service,
    /** Whether this process relays the outbox now; otherwise another does, or the database is away. */
    leading: () => leading,
    /** Looks at the outbox now. */
    poke(): void {
      mustLook = true;
      bell.ring();
    },
    /** Waits for what is under way; whoever takes must have been stopped before or go on settling. */
    async stop(): Promise<void> {
      stopping.abort(new Error('stopped'));
      bell.ring();
      await running;
    },
  };
}

function crowdedKeys(rows: Iterable<OutboxRow>): string[] {
  const perKey = new Map<string, number>();
  for (const { topic, key } of rows) {
    const name = `${topic} ${key}`;
    perKey.set(name, (perKey.get(name) ?? 0) + 1);
  }
  return [...perKey].filter(([, count]) => count >= WINDOW_PER_KEY).map(([name]) => name);
}
