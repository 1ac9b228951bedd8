import type { ServiceName } from '@casewatch/contracts/route-contract';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Tracing } from '@casewatch/service-kit/telemetry/tracing';
import pg from 'pg';
import type { LiveSignal, SignalListener, SignalSubscription } from './live-signal.ts';

export interface PostgresPushOptions {
  /** Names the channel: the service whose replicas talk to each other. */
  service: ServiceName;
  /** Leads to PostgreSQL itself, or to a pooler in session mode: listening belongs to the session. */
  databaseUrl: string;
  clock: Clock;
  logger: Logger;
  tracing?: Pick<Tracing, 'traceparent'>;
}

/** Separates a key from its trace; no key contains it. */
const BEFORE_TRACE = '\n';
const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that only receives does not notice by itself that its server is unavailable. */
const HEARTBEAT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 2_000;

/**
 * Creates the signal over PostgreSQL's NOTIFY: it belongs to the transaction, so nothing is lost between a commit and its
 * signal, and it reaches every process that has a connection. A key is at most 7,999 bytes (PostgreSQL's manual,
 * "NOTIFY"). A listener keeps one connection of its own and reconnects when it is lost,
 * or when the server no longer answers.
 */
export function createPostgresSignal(options: PostgresPushOptions): LiveSignal {
  const channel = `push_${schemaOf(options.service)}`;
  return {
    publish: async (tx, keys) => {
      if (keys.length === 0) return;
      const traceparent = options.tracing?.traceparent();
      const payloads = traceparent ? keys.map((key) => key + BEFORE_TRACE + traceparent) : keys;
      await tx.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads]);
    },
    // NOTIFY belongs to the commit.
    committed: () => undefined,
    listen: (listener) => startListening(options, channel, listener),
  };
}

function startListening(
  { service, databaseUrl, clock, logger }: PostgresPushOptions,
  channel: string,
  listener: SignalListener,
): SignalSubscription {
  const stopping = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listenUntilLost();
      } catch (error) {
        logger.warn({ err: error, channel }, 'push listener: connection lost, reconnecting');
      }
      await clock.sleep(RECONNECT_MS, stopping.signal).catch(() => undefined);
    }
  }

  /** Resolves when stopped. @throws when the connection can't be made or ends. */
  async function listenUntilLost(): Promise<void> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: `casewatch-push-${service}`,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    });
    const ended = new AbortController();
    const over = Promise.withResolvers<void>();
    // It may settle before it is awaited.
    over.promise.catch(() => undefined);
    const stop = () => over.resolve();
    client.on('error', over.reject);
    client.on('end', () => over.reject(new Error('push connection lost')));
    client.on('notification', ({ payload = '' }) => {
      const [key = '', traceparent] = payload.split(BEFORE_TRACE);
      if (traceparent === undefined) listener.onKey(key);
      else listener.onKey(key, traceparent);
    });
    stopping.signal.addEventListener('abort', stop, { once: true });
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      listener.onGap();
      if (!stopping.signal.aborted) await Promise.race([over.promise, keepListening(client, ended.signal)]);
    } finally {
      stopping.signal.removeEventListener('abort', stop);
      ended.abort();
      const end = withTimeout(client.end(), END_TIMEOUT_MS, 'timed out closing the push connection');
      await end.catch(() => undefined);
    }
  }

  /** Listens again and again, which changes nothing. @throws when the server does not answer, or on abort */
  async function keepListening(client: pg.Client, signal: AbortSignal): Promise<never> {
    for (;;) {
      await clock.sleep(HEARTBEAT_MS, signal);
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    }
  }

  return {
    async stop() {
      stopping.abort(new Error('stopped'));
      await running;
    },
  };
}
