import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { Channel } from '../domain/choose-deliveries.ts';
import { DIGEST_KINDS, type DigestKind } from '../domain/digest-schedule.ts';
import {
  CHANGES_PER_DIGEST,
  type DigestChange,
  type DigestLog,
  type DigestSchedules,
  type DueDigest,
} from '../domain/digests.ts';
import { type ClaimedRow, claiming, openLog, toDelivery } from './deliveries.ts';
import { type SettingsRow, toSettings } from './settings-rows.ts';

interface ClaimedDigest extends ClaimedRow, SettingsRow {
  user_id: string;
  kind: string;
  period: string;
  after_seq: number;
  until_seq: number;
}

interface ScheduleRow extends SettingsRow {
  user_id: string;
  kind: string;
  next_at: Date;
}

const CLAIM = claiming(
  'digests',
  'id',
  `SELECT claimed.*, user_id, kind, period::text, after_seq, until_seq, recipients.email, settings, push_timings
   FROM claimed JOIN digests USING (id) JOIN recipients USING (user_id) LEFT JOIN preferences USING (user_id)
   ORDER BY claimed.queued_at`,
);

const CHANGES = `
  SELECT digest.id AS "digestId", change.* FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[])
    AS digest (id, user_id, after_seq, until_seq)
  CROSS JOIN LATERAL (
    SELECT receipt_number AS "receiptNumber", old_status AS "oldStatus", new_status AS "newStatus", seq
    FROM notifications AS n
    WHERE n.user_id = digest.user_id AND n.seq > digest.after_seq AND n.seq <= digest.until_seq AND milestone IS NULL
    ORDER BY n.seq DESC LIMIT ${CHANGES_PER_DIGEST}) AS change
  ORDER BY change.seq`;

/** The digests that are to be sent, in the table `digests`. */
export function createDigestLog(sql: SqlExecutor): DigestLog {
  const log = openLog<ClaimedDigest, DueDigest>(sql, {
    table: 'digests',
    key: 'id',
    claim: CLAIM,
    toDue: (row) => ({
      ...toDelivery(row),
      userId: row.user_id,
      kind: digestKindOf(row.kind),
      period: row.period,
      afterSeq: row.after_seq,
      untilSeq: row.until_seq,
      settings: toSettings(row),
    }),
  });
  return {
    ...log,
    changesOf: (digests) =>
      sql.query<DigestChange>(CHANGES, [
        digests.map(({ id }) => id),
        digests.map(({ userId }) => userId),
        digests.map(({ afterSeq }) => afterSeq),
        digests.map(({ untilSeq }) => untilSeq),
      ]),
  };
}

/** Where the schedules of a channel's digests are, and the digests. */
interface DigestTables {
  readonly schedules: string;
  readonly digests: string;
  /** Makes those of `due` that are made: $7 now. */
  readonly make: string;
}

const TABLES: Readonly<Record<Channel, DigestTables>> = {
  email: {
    schedules: 'digest_schedules',
    digests: 'digests',
    make: `
      INSERT INTO digests (id, user_id, kind, period, after_seq, until_seq, state, queued_at, next_attempt_at)
      SELECT id, user_id, kind, period, after_seq, last_seq, 'queued', $7::timestamptz, $7::timestamptz
      FROM due WHERE makes`,
  },
  // One for each device that the user has now. One that is removed meanwhile gets nothing.
  push: {
    schedules: 'push_digest_schedules',
    digests: 'push_digests',
    make: `
      INSERT INTO push_digests (
        id, user_id, device_id, kind, period, after_seq, until_seq, state, queued_at, next_attempt_at)
      SELECT gen_random_uuid(), user_id, device_id, kind, period, after_seq, last_seq, 'queued', $7::timestamptz,
        $7::timestamptz
      FROM due JOIN (
        SELECT id AS device_id, user_id FROM push_devices WHERE user_id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE
      ) AS device USING (user_id) WHERE makes`,
  },
};

/** Two scans of one index: the due ones, and those of a wrong clock. */
const dueIn = ({ schedules }: DigestTables) => `
  SELECT user_id, kind, next_at, recipients.email, settings, push_timings FROM (
    (SELECT * FROM ${schedules} WHERE next_at <= $1::timestamptz ORDER BY next_at, user_id, kind LIMIT $3)
    UNION ALL
    (SELECT * FROM ${schedules} WHERE next_at > $2::timestamptz ORDER BY next_at, user_id, kind LIMIT $3)
  ) AS due JOIN recipients USING (user_id) LEFT JOIN preferences USING (user_id)
  LIMIT $3`;

/** Whether a schedule has nothing left to report. */
const ENDS = '(due.is_last AND (due.makes OR due.last_seq = due.after_seq))';

/**
 * The row of a schedule is locked while its digest is made, and `was_at` is what the caller has read: a process that comes
 * second finds another time and makes nothing. What a period's digest has reported already stays reported, and what came
 * since waits for the next one: until then a schedule that is to end stays.
 */
const advanceIn = ({ schedules, digests, make }: DigestTables) => `
  WITH asked AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::date[], $6::uuid[], $8::boolean[])
      AS asked (user_id, kind, was_at, then_at, period, id, is_last)
  ), due AS MATERIALIZED (
    SELECT schedule.user_id, schedule.kind, asked.id, asked.period, asked.then_at, asked.is_last,
      schedule.after_seq, last_seq,
      asked.period IS NOT NULL AND NOT EXISTS (
        SELECT FROM ${digests} AS made WHERE made.user_id = schedule.user_id AND made.kind = schedule.kind
          AND made.period = asked.period) AS makes
    FROM ${schedules} AS schedule
    JOIN asked ON schedule.user_id = asked.user_id AND schedule.kind = asked.kind AND schedule.next_at = asked.was_at
    JOIN recipients ON recipients.user_id = schedule.user_id AND recipients.deleted_at IS NULL
    ORDER BY schedule.user_id, schedule.kind FOR UPDATE OF schedule SKIP LOCKED
  ), moved AS (
    UPDATE ${schedules} AS schedule
    SET next_at = due.then_at, after_seq = CASE WHEN makes THEN last_seq ELSE schedule.after_seq END
    FROM due WHERE schedule.user_id = due.user_id AND schedule.kind = due.kind AND NOT ${ENDS}
  ), ended AS (
    DELETE FROM ${schedules} AS schedule USING due
    WHERE schedule.user_id = due.user_id AND schedule.kind = due.kind AND ${ENDS}
  )
  ${make} ON CONFLICT DO NOTHING
  RETURNING id`;

/** When the digests of a channel are due, in the table of their schedules. */
export function createDigestSchedules(sql: SqlExecutor, channel: Channel): DigestSchedules {
  const tables = TABLES[channel];
  const [listing, advancing] = [dueIn(tables), advanceIn(tables)];
  return {
    channel,
    async listDue(nowMs, latestMs, limit) {
      const rows = await sql.query<ScheduleRow>(listing, [new Date(nowMs), new Date(latestMs), limit]);
      return rows.map((row) => ({
        userId: row.user_id,
        kind: digestKindOf(row.kind),
        nextAtMs: row.next_at.getTime(),
        settings: toSettings(row),
      }));
    },
    async advance(advances, nowMs) {
      if (advances.length === 0) return 0;
      const made = await sql.query(advancing, [
        advances.map(({ userId }) => userId),
        advances.map(({ kind }) => kind),
        advances.map(({ nextAtMs }) => new Date(nextAtMs)),
        advances.map(({ thenMs }) => new Date(thenMs)),
        advances.map(({ makes }) => makes?.period ?? null),
        advances.map(() => uuidV7(nowMs)),
        new Date(nowMs),
        advances.map(({ isLast }) => isLast),
      ]);
      return made.length;
    },
  };
}

/** The column has a CHECK; the type of a text column can't say so. */
export function digestKindOf(text: string): DigestKind {
  const found = DIGEST_KINDS.find((kind) => kind === text);
  if (!found) throw new Error(`the database holds the digest kind ${text}`);
  return found;
}
