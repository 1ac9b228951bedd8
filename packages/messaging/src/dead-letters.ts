import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableJson, storableText } from '@casewatch/service-kit/database/storable-json';
import type { EventRecord } from './event-record.ts';

export interface DeadLetter extends EventRecord {
  readonly group: string;
  readonly error: string;
  readonly attempts: number;
  readonly failedAt: Date;
  readonly redriveRequestedAt: Date | null;
}

type DeadLetterRow = DeadLetter & { readonly payload: string };

const ERROR_MAX_LENGTH = 4_000;

/** Stores an event as a dead letter, in the transaction that also marks it as handled. */
export async function insertDeadLetter(
  tx: SqlExecutor,
  group: string,
  event: EventRecord,
  failure: { error: unknown; attempts: number; nowMs: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO dead_letters (consumer_group, event_id, topic, key, payload, headers, error, attempts, failed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    [
      group,
      event.id,
      storableText(event.topic),
      storableText(event.key),
      storableText(typeof event.payload === 'string' ? event.payload : JSON.stringify(event.payload)),
      storableJson(event.headers),
      describe(failure.error),
      failure.attempts,
      new Date(failure.nowMs),
    ],
  );
}

/** Which dead letters of a schema: all, or those of one topic or event. */
export interface WhichDeadLetters {
  topic?: string;
  eventId?: string;
}

/** Returns the dead letters of a service's schema, oldest first. */
export async function listDeadLetters(
  executor: SqlExecutor,
  { topic, eventId }: WhichDeadLetters = {},
  limit = 100,
): Promise<DeadLetter[]> {
  const rows = await executor.query<DeadLetterRow>(
    `SELECT ${COLUMNS} FROM dead_letters WHERE ($1::text IS NULL OR topic = $1) AND ($2::uuid IS NULL OR event_id = $2)
     ORDER BY failed_at, event_id LIMIT $3`,
    [topic ?? null, eventId ?? null, limit],
  );
  return rows.map((row) => ({ ...row, payload: parsed(row.payload) }));
}

/**
 * Requests that running consumers handle dead letters again: all of the schema, or those of one topic or event.
 * Returns the number of requests.
 */
export async function requestRedrive(
  executor: SqlExecutor,
  nowMs: number,
  only: WhichDeadLetters = {},
): Promise<number> {
  const rows = await executor.query(
    `UPDATE dead_letters SET redrive_requested_at = $1
     WHERE redrive_requested_at IS NULL AND ($2::text IS NULL OR topic = $2) AND ($3::uuid IS NULL OR event_id = $3)
     RETURNING 1`,
    [new Date(nowMs), only.topic ?? null, only.eventId ?? null],
  );
  return rows.length;
}

/** Removes a dead letter of the schema for good and returns it: its effect never happens. */
export async function discardDeadLetter(
  executor: SqlExecutor,
  eventId: string,
): Promise<DeadLetter | undefined> {
  const [row] = await executor.query<DeadLetterRow>(
    `DELETE FROM dead_letters WHERE event_id = $1 RETURNING ${COLUMNS}`,
    [eventId],
  );
  return row && { ...row, payload: parsed(row.payload) };
}

/** Returns whether a dead letter of the group is to be handled again. */
export async function isRedriveRequested(executor: SqlExecutor, group: string): Promise<boolean> {
  const rows = await executor.query(
    'SELECT 1 FROM dead_letters WHERE consumer_group = $1 AND redrive_requested_at IS NOT NULL LIMIT 1',
    [group],
  );
  return rows.length > 0;
}

/** Returns how many dead letters the group has, counted to 10,000 at most. */
export async function countDeadLetters(executor: SqlExecutor, group: string): Promise<number> {
  const [row] = await executor.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM (SELECT FROM dead_letters WHERE consumer_group = $1 LIMIT 10000) AS counted',
    [group],
  );
  return row?.count ?? 0;
}

/** Removes and returns the oldest dead letter whose redrive is requested; no other transaction gets it. */
export async function takeForRedrive(tx: SqlExecutor, group: string): Promise<DeadLetter | undefined> {
  const [row] = await tx.query<DeadLetterRow>(
    `DELETE FROM dead_letters WHERE (consumer_group, event_id) = (
       SELECT consumer_group, event_id FROM dead_letters
       WHERE consumer_group = $1 AND redrive_requested_at IS NOT NULL
       ORDER BY redrive_requested_at, event_id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${COLUMNS}`,
    [group],
  );
  return row && { ...row, payload: parsed(row.payload) };
}

/** Records a failed redrive; the event stays a dead letter until the next request. */
export async function noteFailedRedrive(
  executor: SqlExecutor,
  letter: DeadLetter,
  error: unknown,
  nowMs: number,
): Promise<void> {
  await executor.query(
    `UPDATE dead_letters SET error = $3, attempts = attempts + 1, failed_at = $4, redrive_requested_at = NULL
     WHERE consumer_group = $1 AND event_id = $2`,
    [letter.group, letter.id, describe(error), new Date(nowMs)],
  );
}

const COLUMNS = `consumer_group AS "group", event_id AS id, topic, key, payload, headers, error, attempts,
  failed_at AS "failedAt", redrive_requested_at AS "redriveRequestedAt"`;

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return storableText(text).slice(0, ERROR_MAX_LENGTH);
}
