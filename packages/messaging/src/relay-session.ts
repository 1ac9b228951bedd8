import type { ServiceName } from '@casewatch/contracts/route-contract';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import pg from 'pg';

/**
 * The server ends a session that was silent for this time, and releases its lock: a process that hangs, or whose host is lost, is
 * replaced within this time and one renewal.
 */
const SESSION_TIMEOUT_MS = 5_000;
/** How often a session proves that it is alive, or tries to get the lock. */
export const RENEW_EVERY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 2_000;

export type RelaySession = Awaited<ReturnType<typeof openRelaySession>>;

/**
 * Opens the session of a service's relay. Of all sessions one has the outbox's advisory lock: its relay is the active one, and can
 * neither read nor mark without it, since it does so on the same connection.
 * @throws when the database is unavailable, or the URL leads to a transaction pooler.
 */
export async function openRelaySession(service: ServiceName, databaseUrl: string, onLost: () => void) {
  const schema = schemaOf(service);
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `casewatch-relay-${service}`,
    // A mark that is lost with the server's last moments has its event dispatched twice, which the inbox takes care of.
    // Statistics of a queue are stale whenever it fills or empties, so plans are kept to the indexes made for them.
    options: `-c search_path=${schema} -c idle_session_timeout=${SESSION_TIMEOUT_MS} -c synchronous_commit=off
      -c enable_seqscan=off -c enable_bitmapscan=off`,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  const lost = new AbortController();
  const lose = (reason: Error) => {
    lost.abort(reason);
    onLost();
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('relay connection lost')));
  const sql = preparedSqlOf(client);
  let active = false;

  async function close(): Promise<void> {
    await withTimeout(client.end(), CLOSE_TIMEOUT_MS, 'timed out closing the relay connection').catch(
      () => undefined,
    );
  }
  try {
    await client.connect();
    await requireSession(sql);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    sql,
    lost: lost.signal,
    /** Proves that the session is alive; resolves to whether it has the lock, which it gets when no other has it. */
    async renew(): Promise<boolean> {
      const [row] = await sql.query<{ locked: boolean }>(
        'SELECT $2::boolean OR pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
        [`casewatch outbox ${schema}`, active],
      );
      active = row?.locked ?? false;
      return active;
    },
    close,
  };
}

/** @throws when the session's settings were lost on the way, as a pooler may: then no lock would end with a relay that hangs. */
async function requireSession(sql: SqlExecutor): Promise<void> {
  const [row] = await sql.query<{ timeout: string }>(
    `SELECT setting AS timeout FROM pg_settings WHERE name = 'idle_session_timeout'`,
    [],
  );
  if (row?.timeout === String(SESSION_TIMEOUT_MS)) return;
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
