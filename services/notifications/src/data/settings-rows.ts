import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { notificationSettings } from '@casewatch/contracts/notification-settings';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Pool } from 'pg';
import { CHANNELS } from '../domain/choose-deliveries.ts';
import { digestsOf, nextDigest } from '../domain/digest-schedule.ts';
import { isTimeZone } from '../domain/quiet-hours.ts';
import type { SettingsStore } from '../domain/store.ts';

/** The column that holds what a user chose; null before the first choice. */
export interface SettingsRow {
  settings: unknown;
}

/**
 * Reads what a user chose. A choice that was stored before a setting was added gets its default, and so does a time zone that is
 * not usable. @throws for settings that this version can't read
 */
export function toSettings({ settings: stored }: SettingsRow): NotificationSettings {
  if (!stored) return DEFAULTS;
  const settings = notificationSettings.parse(
    typeof stored === 'object' ? { ...DEFAULTS, ...stored } : stored,
  );
  return isTimeZone(settings.timeZone) ? settings : { ...settings, timeZone: DEFAULTS.timeZone };
}

/** Creates the row where there is none, and keeps it for the transaction. A deleted user's is left alone. */
const LOCK = `
  INSERT INTO recipients (user_id, last_seq) VALUES ($1::uuid, 0)
  ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq WHERE recipients.deleted_at IS NULL
  RETURNING (SELECT settings FROM preferences WHERE preferences.user_id = $1::uuid) AS settings`;

/**
 * A schedule that is no longer asked for stays for its last digest, with what was to come in it. A digest that is due and not made yet
 * stays due: it is planned by the new settings when it is made.
 */
const WRITE = `
  WITH kept AS (
    INSERT INTO preferences (user_id, settings, changed_at) VALUES ($1::uuid, $2::jsonb, $3::timestamptz)
    ON CONFLICT (user_id) DO UPDATE SET settings = excluded.settings, changed_at = excluded.changed_at
  )
  INSERT INTO digest_schedules (user_id, channel, kind, next_at)
  SELECT $1::uuid, channel, kind, next_at
  FROM unnest($4::text[], $5::text[], $6::timestamptz[]) AS asked (channel, kind, next_at)
  ON CONFLICT (user_id, channel, kind) DO UPDATE SET next_at =
    CASE WHEN digest_schedules.next_at <= $3::timestamptz THEN digest_schedules.next_at ELSE excluded.next_at END`;

export function createSettingsStore(pool: Pool): SettingsStore {
  return {
    async read(userId) {
      const { rows } = await pool.query<SettingsRow>('SELECT settings FROM preferences WHERE user_id = $1', [
        userId,
      ]);
      return rows[0] ? toSettings(rows[0]) : DEFAULTS;
    },
    async readAll(userIds) {
      const { rows } = await pool.query<SettingsRow & { user_id: string }>(
        'SELECT user_id, settings FROM preferences WHERE user_id = ANY ($1::uuid[])',
        [userIds],
      );
      const chosen = new Map(rows.map((row) => [row.user_id, toSettings(row)]));
      return (userId) => chosen.get(userId) ?? DEFAULTS;
    },
    change: (userId, change, nowMs) =>
      inTransaction(pool, async (tx) => {
        const [row] = await tx.query<SettingsRow>(LOCK, [userId]);
        const after = change(row ? toSettings(row) : DEFAULTS);
        if (!row) return after;
        const digests = CHANNELS.flatMap((channel) =>
          digestsOf(after, channel).map((kind) => ({ channel, kind })),
        );
        await tx.query(WRITE, [
          userId,
          JSON.stringify(after),
          new Date(nowMs).toISOString(),
          digests.map(({ channel }) => channel),
          digests.map(({ kind }) => kind),
          digests.map(({ kind }) => new Date(nextDigest(kind, nowMs, after).dueMs).toISOString()),
        ]);
        return after;
      }),
  };
}
