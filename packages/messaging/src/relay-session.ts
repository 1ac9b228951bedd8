import type { ServiceName } from '@casewatch/contracts/route-contract';
import { openLockSession } from '@casewatch/service-kit/database/lock-session';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type pg from 'pg';

/** How often a session proves that it is alive, or tries to get the lock. */
export const RENEW_EVERY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 20_000;

export type RelaySession = Awaited<ReturnType<typeof openRelaySession>>;

/**
 * Opens the session of a service's relay. Of all sessions one has the outbox's advisory lock: its relay is the active one, and can
 * neither read nor mark without it, since it does so on the same connection.
 * @throws when the database is unavailable, or the URL leads to a transaction pooler.
 */
export async function openRelaySession(service: ServiceName, databaseUrl: string, onLost: () => void) {
  const schema = schemaOf(service);
  const { client, lost, close } = await openLockSession({
    databaseUrl,
    schema,
    application: `casewatch-relay-${service}`,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    // A mark that is lost with the server's last moments has its event dispatched twice, which the inbox takes care of.
    // Statistics of a queue are stale whenever it fills or empties, so plans are kept to the indexes made for them.
    settings: '-c synchronous_commit=off -c enable_seqscan=off -c enable_bitmapscan=off',
  });
  lost.signal.addEventListener('abort', onLost, { once: true });
  const sql = preparedSqlOf(client);
  let active = false;
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
