import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import {
  CHANNELS,
  type Channel,
  type ChosenDigest,
  chooseDigests,
  type NewNotification,
} from '../domain/choose-deliveries.ts';
import { nextDigest } from '../domain/digest-schedule.ts';

/** A change that waits for a digest. */
export interface WaitingChange extends ChosenDigest {
  readonly userId: string;
  readonly notificationId: string;
  /** When the digest is due; one that is planned already stays as it is. */
  readonly nextAtMs: number;
}

/** The tables of a channel's digests. */
export const DIGEST_TABLES: Readonly<Record<Channel, { schedules: string; digests: string }>> = {
  email: { schedules: 'digest_schedules', digests: 'digests' },
  push: { schedules: 'push_digest_schedules', digests: 'push_digests' },
};

/** Returns what a notification waits for that has just been stored, or has just found a device. */
export function waitingFor(
  { id: notificationId, userId, kind, createdAtMs }: NewNotification,
  settings: NotificationSettings,
  channels: ReadonlySet<Channel>,
): WaitingChange[] {
  return chooseDigests(kind, settings, channels).map((digest) => ({
    ...digest,
    userId,
    notificationId,
    nextAtMs: nextDigest(digest.kind, createdAtMs, settings).dueMs,
  }));
}

/** Locks those that are there: what ends a schedule looks for waiting changes when it has the lock. */
const schedule = (schedules: string) => `
  INSERT INTO ${schedules} (user_id, kind, next_at)
  SELECT DISTINCT ON (user_id, kind) * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS due (user_id, kind, next_at)
  ORDER BY user_id, kind, next_at
  ON CONFLICT (user_id, kind) DO UPDATE SET next_at = ${schedules}.next_at`;

const KEEP = `
  INSERT INTO digest_changes (user_id, channel, kind, notification_id)
  SELECT waiting.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
    AS waiting (user_id, channel, kind, notification_id)
  JOIN (SELECT id FROM notifications WHERE id = ANY ($4::uuid[]) ORDER BY id FOR KEY SHARE) AS found
    ON found.id = notification_id
  ON CONFLICT DO NOTHING`;

/**
 * Keeps the changes for the next digests of their users, and has these planned: what waits has a schedule. One whose notification
 * was removed is left out. Needs the rows of the recipients locked.
 */
export async function keepForDigests(tx: SqlExecutor, changes: readonly WaitingChange[]): Promise<void> {
  if (changes.length === 0) return;
  for (const channel of CHANNELS) {
    const own = changes.filter((one) => one.channel === channel);
    if (own.length === 0) continue;
    await tx.query(schedule(DIGEST_TABLES[channel].schedules), [
      own.map(({ userId }) => userId),
      own.map(({ kind }) => kind),
      own.map(({ nextAtMs }) => new Date(nextAtMs)),
    ]);
  }
  await tx.query(KEEP, [
    changes.map(({ userId }) => userId),
    changes.map(({ channel }) => channel),
    changes.map(({ kind }) => kind),
    changes.map(({ notificationId }) => notificationId),
  ]);
}

const LIVING = `
  SELECT user_id FROM recipients WHERE user_id = ANY ($1::uuid[]) AND deleted_at IS NULL ORDER BY user_id FOR SHARE`;

/** Takes the changes out of the digests that are still to be sent. */
const takeOut = (digests: string) => `
  WITH held AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS held (digest_id, notification_id))
  UPDATE ${digests} AS digest
  SET changes = ARRAY(
    SELECT change FROM unnest(digest.changes) WITH ORDINALITY AS own (change, nth)
    WHERE change NOT IN (SELECT notification_id FROM held WHERE digest_id = digest.id) ORDER BY nth)
  WHERE id IN (SELECT digest_id FROM held) AND state = 'queued'
  RETURNING id`;

/**
 * Puts changes of digests that are still to be sent back among those that wait for the next one. Needs a transaction; those of a
 * user who is deleted stay.
 */
export async function putBack(
  tx: SqlExecutor,
  channel: Channel,
  held: readonly (Omit<WaitingChange, 'channel'> & { readonly digestId: string })[],
): Promise<void> {
  const living = await tx.query<{ user_id: string }>(LIVING, [held.map(({ userId }) => userId)]);
  const isLiving = new Set(living.map((row) => row.user_id));
  const own = held.filter(({ userId }) => isLiving.has(userId));
  const taken = await tx.query<{ id: string }>(takeOut(DIGEST_TABLES[channel].digests), [
    own.map(({ digestId }) => digestId),
    own.map(({ notificationId }) => notificationId),
  ]);
  const isTaken = new Set(taken.map(({ id }) => id));
  await keepForDigests(
    tx,
    own.flatMap((one) => (isTaken.has(one.digestId) ? [{ ...one, channel }] : [])),
  );
}
