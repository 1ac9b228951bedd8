import type { ServiceName } from '@casewatch/contracts/route-contract';
import pg from 'pg';
import type { Logger } from '../runtime/logger.ts';
import { schemaOf } from './service-url.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of a request may take longer; long work is split. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A server that is cut off can't keep to that: then we stop waiting ourselves. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;
/**
 * The server ends a transaction that is idle for this time, and with it its locks: of a process that hangs, or whose host is lost. By
 * then another process has taken over what this one did in a session.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 8_000;

export interface DatabaseOptions {
  url: string;
  service: ServiceName;
  /** Connections at the same time. */
  maximum: number;
  logger: Logger;
}

/** Creates a pool of connections of the service's role, which search its own schema only. */
export function createDatabasePool({ url, service, maximum, logger }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maximum,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: `casewatch-${service}`,
    options: `-c search_path=${schemaOf(service)}`,
  });
  // Without a listener an idle connection that the server ends would end the process.
  pool.on('error', (error) =>
    logger.warn({ err: error }, 'database: idle connection lost, opening another when needed'),
  );
  // Nor must one that is checked out and idle within a transaction: its holder learns of it at the next statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
