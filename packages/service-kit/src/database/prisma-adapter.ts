import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import { createDatabasePool, type DatabaseOptions } from './database-pool.ts';
import { schemaOf } from './service-url.ts';

/**
 * Opens the service's Prisma client on a pool of connections, which statements of its own may use; `close` ends both. Statements are
 * prepared under a name derived from their text, which cuts PostgreSQL's planning cost.
 */
export function openPrisma<Client extends { $disconnect(): Promise<void> }>(
  createClient: (adapter: PrismaPg) => Client,
  options: DatabaseOptions,
) {
  const pool = createDatabasePool(options);
  const schema = schemaOf(options.service);
  const prisma = createClient(new PrismaPg(pool, { schema, statementNameGenerator: nameOf }));
  const close = async () => {
    await prisma.$disconnect();
    await pool.end();
  };
  return { prisma, pool, close };
}

const names = new LRUCache<string, string>({ max: 1_000 });

function nameOf({ sql }: { sql: string }): string {
  const known = names.get(sql);
  if (known) return known;
  const name = createHash('sha1').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
