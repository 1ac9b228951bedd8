import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { SHARDS } from './outbox-rows.ts';

/**
 * Ends a relay's session after so long without a statement, and its leases with it: a process that hangs, or whose host is gone,
 * is replaced within this time. The server measures it.
 */
export const LEASE_MS = 5_000;
/** Renewed several times within a lease. */
export const RENEW_EVERY_MS = 1_000;

export type ShardLeases = ReturnType<typeof createShardLeases>;

/**
 * Leases of an outbox's shards, as advisory locks of the relay's session: they end with the session, and no other relay has
 * one meanwhile. The name of the outbox is locked in shared mode first, which counts the relays that share it. A relay of
 * a release without shards locks the same name exclusively, so that the two kinds are never active together.
 */
export function createShardLeases(sql: SqlExecutor, schema: string) {
  const name = `casewatch outbox ${schema}`;
  const held = new Set<number>();
  let joined = false;
  let share = 0;

  async function join(): Promise<boolean> {
    const [row] = await sql.query<{ joined: boolean }>(
      'SELECT pg_try_advisory_lock_shared(hashtextextended($1, 0)) AS joined',
      [name],
    );
    return row?.joined ?? false;
  }

  async function countRelays(): Promise<number> {
    const [row] = await sql.query<{ relays: number }>(
      `SELECT count(*)::int AS relays FROM pg_locks, (SELECT hashtextextended($1, 0) AS name) AS outbox
       WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock' AND granted
         AND classid = ((name >> 32) & 4294967295)::oid AND objid = (name & 4294967295)::oid
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [name],
    );
    return Math.max(1, row?.relays ?? 1);
  }

  return {
    held: held as ReadonlySet<number>,
    /** How many shards more than its share this relay holds. */
    surplus: () => Math.max(0, held.size - share),

    /**
     * Keeps the session from ending, and leases free shards up to this relay's share: as many as each relay gets when all have
     * the same, rounded up.
     */
    async renew(): Promise<void> {
      joined ||= await join();
      if (!joined) return;
      share = Math.ceil(SHARDS / (await countRelays()));
      if (held.size >= share) return;
      const others = [...Array(SHARDS).keys()].filter((shard) => !held.has(shard));
      const rows = await sql.query<{ shard: number }>(
        `SELECT shard FROM unnest($2::int[]) AS shard WHERE pg_try_advisory_lock(hashtext($1), shard) LIMIT $3`,
        [name, others, share - held.size],
      );
      for (const { shard } of rows) held.add(shard);
    },

    /** Gives up a shard of which nothing is in flight. */
    async release(shard: number): Promise<void> {
      held.delete(shard);
      await sql.query('SELECT pg_advisory_unlock(hashtext($1), $2)', [name, shard]);
    },
  };
}
