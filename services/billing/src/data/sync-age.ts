import type { Pool } from 'pg';

/**
 * How long, in seconds, what was to be asked of the provider has waited: an event whose customer is not known yet, or
 * a user who is due. A failed look is put off, twice as long each time from 2 s to 10 minutes; the pauses that it has
 * had are added. 0 when nothing waits.
 */
const SYNC_AGE = `
  SELECT greatest(0,
    (SELECT extract(epoch FROM $1::timestamptz - min(received_at)) FROM provider_events WHERE done_at IS NULL),
    (SELECT extract(epoch FROM $1::timestamptz - min(due_at)) FROM customers WHERE due_at <= $1::timestamptz),
    (SELECT max(extract(epoch FROM $1::timestamptz - due_at)
        + 2 * (2 ^ least(failures, 9) - 1) + 600 * greatest(0, failures - 9))
      FROM customers WHERE due_at IS NOT NULL AND failures > 0))::float AS age`;

export async function readSyncAgeSeconds(pool: Pool, nowMs: number): Promise<number> {
  const { rows } = await pool.query<{ age: number }>(SYNC_AGE, [new Date(nowMs)]);
  return rows[0]?.age ?? 0;
}
