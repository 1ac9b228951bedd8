import { hash } from 'node:crypto';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Call } from '../domain/call.ts';
import { dateOf } from '../domain/retention.ts';

/**
 * In the order of the hashes, so that two batches never deadlock. A payload that was seen on that day already is not even locked: most
 * are seen once a day at most, and an error page by all lookups of a minute.
 */
const WRITE = `
  INSERT INTO payloads AS kept (hash, text, last_seen)
  SELECT decode(seen.hash, 'hex'), seen.text, seen.day
  FROM json_to_recordset($1::json) AS seen (hash text, text text, day date)
  WHERE NOT EXISTS (SELECT FROM payloads WHERE hash = decode(seen.hash, 'hex') AND last_seen >= seen.day)
  ORDER BY 1
  ON CONFLICT (hash) DO UPDATE SET last_seen = excluded.last_seen WHERE kept.last_seen < excluded.last_seen`;

/** Returns the name of a payload: the SHA-256 of its text, in hexadecimal. */
export function hashOf(payload: string): string {
  return hash('sha256', payload, 'hex');
}

/** Stores the payloads of these lookups, each text once, with the last day (UTC) on which it was seen. */
export async function writePayloads(tx: SqlExecutor, calls: readonly Call[]): Promise<void> {
  const seen = new Map<string, { text: string; day: string }>();
  for (const { createdAtMs, payload, earlierCalls } of calls) {
    if (payload === null) continue;
    const day = dateOf(createdAtMs);
    for (const text of [payload, ...(earlierCalls ?? []).map((call) => call.payload)]) {
      const before = seen.get(hashOf(text));
      if (!before || before.day < day) seen.set(hashOf(text), { text, day });
    }
  }
  if (seen.size === 0) return;
  const rows = [...seen].map(([name, facts]) => ({ hash: name, ...facts }));
  await tx.query(WRITE, [JSON.stringify(rows)], 'write_payloads');
}
