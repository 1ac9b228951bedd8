import pg from 'pg';
import { withTimeout } from '../runtime/lifecycle.ts';

/** The server ends a session that was silent for this time, and with it its locks: of a process that hangs, or whose host is lost. */
const SESSION_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Opens a session for an advisory lock that one process has at a time. `lost` aborts when it ends.
 * @throws when the database is unavailable, or the URL leads to a transaction pooler
 */
export async function openLockSession(options: {
  databaseUrl: string;
  schema: string;
  /** Names the session in `pg_stat_activity`. */
  application: string;
  connectTimeoutMs: number;
  queryTimeoutMs: number;
  /** Further settings of the session, as `-c name=value`. */
  settings?: string;
}) {
  const { application, schema, settings = '' } = options;
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: application,
    options: `-c search_path=${schema} -c idle_session_timeout=${SESSION_TIMEOUT_MS} ${settings}`,
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.queryTimeoutMs,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error(`the session of ${application} ended`)));
  async function close(): Promise<void> {
    const ended = withTimeout(
      client.end(),
      CLOSE_TIMEOUT_MS,
      `timed out closing the session of ${application}`,
    );
    await ended.catch(() => undefined);
  }
  try {
    await client.connect();
    await requireSession(client, application);
  } catch (error) {
    await close();
    throw error;
  }
  return { client, lost, close };
}

/** @throws when the session's settings were lost on the way, as a pooler may: then no lock would end with a process that hangs. */
async function requireSession(client: pg.Client, application: string): Promise<void> {
  const { rows } = await client.query<{ timeout: string }>(
    `SELECT setting AS timeout FROM pg_settings WHERE name = 'idle_session_timeout'`,
  );
  if (rows[0]?.timeout === String(SESSION_TIMEOUT_MS)) return;
  throw new Error(`${application} needs a session of its own: set DATABASE_DIRECT_URL to PostgreSQL itself`);
}
