import { createHash } from 'node:crypto';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Logger } from '../runtime/logger.ts';
import { schemaOf } from './service-url.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of a request may take longer; long work is split. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A server that is cut off can't keep to that: then we stop waiting ourselves. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 1_000;
/**
 * The server ends a transaction that says nothing for so long, and with it its locks: of a process that hangs, or whose host is gone. By
 * then another process has taken over what this one did in a session.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 8_000;

interface DatabaseOptions {
  url: string;
  service: ServiceName;
  /** Connections at the same time. */
  maximum: number;
  logger: Logger;
}

/** The service's Prisma client on a pool of connections, which statements of its own may use; `close` ends both. */
export function openPrisma<Client extends { $disconnect(): Promise<void> }>(
  createClient: (adapter: PrismaPg) => Client,
  options: DatabaseOptions,
) {
  const { pool, adapter } = createDatabasePool(options);
  const prisma = createClient(adapter);
  const close = async () => {
    await prisma.$disconnect();
    await pool.end();
  };
  return { prisma, pool, close };
}

/**
 * A connection pool of the service's role, searching its own schema only, and the Prisma adapter on top of it.
 * Statements are prepared under a name derived from their text, which cuts PostgreSQL's planning cost.
 */
export function createDatabasePool(options: DatabaseOptions) {
  const schema = schemaOf(options.service);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maximum,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: `casewatch-${options.service}`,
    options: `-c search_path=${schema}`,
  });
  // Without a listener an idle connection that the server ends would end the process.
  pool.on('error', (error) =>
    options.logger.warn({ err: error }, 'database: idle connection lost, opening another when needed'),
  );
  // Nor must one that is checked out and idle within a transaction: its holder learns of it at the next statement.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const adapter = new PrismaPg(pool, { schema, statementNameGenerator: nameOf });
  return { pool, adapter };
}

const names = new LRUCache<string, string>({ max: 1_000 });

function nameOf({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known) return known;
  const name = createHash('sha1').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
