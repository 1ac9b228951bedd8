import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { notificationSettings, pushTimings } from '@casewatch/contracts/notification-settings';
import { sqlOf } from '@casewatch/service-kit/database/sql-executor';
import type { Channel } from '../domain/choose-deliveries.ts';
import { digestsOf, nextDigest } from '../domain/digest-schedule.ts';
import { isTimeZone } from '../domain/quiet-hours.ts';
import type { SettingsStore } from '../domain/store.ts';
import { settingsOf, wantsStatusMails, withoutCollected } from '../domain/user-settings.ts';
import type { PrismaClient } from '../generated/client.ts';

/** The columns that hold what a user chose; `settings` is null before the first choice. */
export interface SettingsRow {
  settings: unknown;
  email: boolean;
  push_timings: unknown;
}

/** Reads what a user chose. @throws for settings that this version can't read */
export function toSettings({ settings, email, push_timings }: SettingsRow): NotificationSettings {
  return settingsOf({
    settings: settings ? parse(settings) : undefined,
    email,
    pushTimings: push_timings ? pushTimings.parse(push_timings) : undefined,
  });
}

/** A choice that was stored before a setting was added gets its default, and so does a time zone that is not usable. */
function parse(stored: unknown): NotificationSettings {
  const settings = notificationSettings.parse(
    typeof stored === 'object' ? { ...DEFAULTS, ...stored } : stored,
  );
  return isTimeZone(settings.timeZone) ? settings : { ...settings, timeZone: DEFAULTS.timeZone };
}

/** Creates the row where there is none, and keeps it for the transaction. A deleted user's is left alone. */
const LOCK = `
  INSERT INTO recipients (user_id, last_seq) VALUES ($1::uuid, 0)
  ON CONFLICT (user_id) DO UPDATE SET last_seq = recipients.last_seq WHERE recipients.deleted_at IS NULL
  RETURNING email, (SELECT settings FROM preferences WHERE preferences.user_id = $1::uuid) AS settings,
    (SELECT push_timings FROM preferences WHERE preferences.user_id = $1::uuid) AS push_timings`;

/** A digest that is due and not made yet stays due: it is planned by the new settings when it is made. */
const nextAt = (schedules: string) =>
  `CASE WHEN ${schedules}.next_at <= $4::timestamptz THEN ${schedules}.next_at ELSE excluded.next_at END`;

/** A schedule that is no longer asked for stays for its last digest, with what was to come in it. */
const WRITE = `
  WITH owner AS (
    UPDATE recipients SET email = $2 WHERE user_id = $1::uuid RETURNING user_id, last_seq
  ), kept AS (
    INSERT INTO preferences (user_id, settings, changed_at, push_timings)
    SELECT user_id, $3::jsonb, $4::timestamptz, $7::jsonb FROM owner
    ON CONFLICT (user_id) DO UPDATE SET settings = excluded.settings, changed_at = excluded.changed_at,
      push_timings = excluded.push_timings
  ), pushes AS (
    INSERT INTO push_digest_schedules (user_id, kind, next_at, after_seq)
    SELECT user_id, kind, next_at, last_seq FROM owner, unnest($8::text[], $9::timestamptz[]) AS asked (kind, next_at)
    ON CONFLICT (user_id, kind) DO UPDATE SET next_at = ${nextAt('push_digest_schedules')}
  )
  INSERT INTO digest_schedules (user_id, kind, next_at, after_seq)
  SELECT user_id, kind, next_at, last_seq FROM owner, unnest($5::text[], $6::timestamptz[]) AS asked (kind, next_at)
  ON CONFLICT (user_id, kind) DO UPDATE SET next_at = ${nextAt('digest_schedules')}`;

export function createSettingsStore(prisma: PrismaClient): SettingsStore {
  return {
    async read(userId) {
      const [row] = await prisma.$queryRaw<SettingsRow[]>`
        SELECT email, settings, push_timings FROM recipients LEFT JOIN preferences USING (user_id)
        WHERE user_id = ${userId}::uuid`;
      return row ? toSettings(row) : DEFAULTS;
    },
    change: (userId, change, nowMs) =>
      prisma.$transaction(async (tx) => {
        const sql = sqlOf(tx);
        const [row] = await sql.query<SettingsRow>(LOCK, [userId]);
        const after = change(row ? toSettings(row) : DEFAULTS);
        if (!row) return after;
        const schedulesOf = (channel: Channel) => {
          const digests = digestsOf(after, channel);
          return [
            digests,
            digests.map((kind) => new Date(nextDigest(kind, nowMs, after).dueMs).toISOString()),
          ];
        };
        await sql.query(WRITE, [
          userId,
          wantsStatusMails(after),
          JSON.stringify(withoutCollected(after)),
          new Date(nowMs).toISOString(),
          ...schedulesOf('email'),
          JSON.stringify(pushTimings.parse(after.push)),
          ...schedulesOf('push'),
        ]);
        return after;
      }),
  };
}
