import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import {
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
const SCHEDULE = `
  INSERT INTO digest_schedules (user_id, channel, kind, next_at)
  SELECT DISTINCT ON (user_id, channel, kind) *
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS due (user_id, channel, kind, next_at)
  ORDER BY user_id, channel, kind, next_at
  ON CONFLICT (user_id, channel, kind) DO UPDATE SET next_at = digest_schedules.next_at`;

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
  const columns = [
    changes.map(({ userId }) => userId),
    changes.map(({ channel }) => channel),
    changes.map(({ kind }) => kind),
  ];
  await tx.query(SCHEDULE, [...columns, changes.map(({ nextAtMs }) => new Date(nextAtMs))]);
  await tx.query(KEEP, [...columns, changes.map(({ notificationId }) => notificationId)]);
}

const LIVING = `
  SELECT user_id FROM recipients WHERE user_id = ANY ($1::uuid[]) AND deleted_at IS NULL ORDER BY user_id FOR SHARE`;

/** Takes the changes out of the digests that are still to be sent. */
const TAKE_OUT = `
  WITH held AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS held (digest_id, notification_id))
  UPDATE deliveries AS digest
  SET changes = ARRAY(
    SELECT change FROM unnest(digest.changes) WITH ORDINALITY AS own (change, nth)
    WHERE change NOT IN (SELECT notification_id FROM held WHERE digest_id = digest.id) ORDER BY nth)
  WHERE id IN (SELECT digest_id FROM held) AND state = 'queued'
  RETURNING id, channel`;

/**
 * Puts changes of digests that are still to be sent back among those that wait for the next one. Needs a transaction; those of a
 * user who is deleted stay.
 */
export async function putBack(
  tx: SqlExecutor,
  held: readonly (Omit<WaitingChange, 'channel'> & { readonly digestId: string })[],
): Promise<void> {
  const living = await tx.query<{ user_id: string }>(LIVING, [held.map(({ userId }) => userId)]);
  const isLiving = new Set(living.map((row) => row.user_id));
  const own = held.filter(({ userId }) => isLiving.has(userId));
  const taken = await tx.query<{ id: string; channel: Channel }>(TAKE_OUT, [
    own.map(({ digestId }) => digestId),
    own.map(({ notificationId }) => notificationId),
  ]);
  const channels = new Map(taken.map(({ id, channel }) => [id, channel]));
  await keepForDigests(
    tx,
    own.flatMap((one) => {
      const channel = channels.get(one.digestId);
      return channel ? [{ ...one, channel }] : [];
    }),
  );
}
