import type { CaseDate } from '@casewatch/contracts/case-dates';
import { TIERS } from '@casewatch/contracts/limits';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { OwnSavedCases } from '../domain/saved-case-store.ts';
import {
  REMOVED_COLUMNS,
  type RemovedRow,
  restorableSince,
  SAVED_COLUMNS,
  type SavedRow,
  toRemovedCase,
  toSavedCase,
} from './saved-case-rows.ts';
import { storableTime } from './storable-time.ts';

/** The first or the last open day of dates as they are stored. */
const openDay = (which: 'min' | 'max', dates: string) =>
  `(SELECT ${which}(one ->> 'day') FROM jsonb_array_elements(${dates}) AS one WHERE one ->> 'doneAt' IS NULL)::date`;

/** In the order in which observations lock them, so that neither waits for the other. */
const FIND = `
  SELECT ${SAVED_COLUMNS} FROM saved_cases WHERE user_id = $1::uuid AND receipt_number = ANY($2::text[])
  ORDER BY receipt_number FOR NO KEY UPDATE`;

/** Locks none: `add` locks snapshots, which observations lock before saved cases. */
const SAVED_OF =
  'SELECT receipt_number, created_at FROM saved_cases WHERE user_id = $1::uuid AND receipt_number = ANY($2::text[])';

const FIND_REMOVED = `
  SELECT ${REMOVED_COLUMNS} FROM removed_cases
  WHERE user_id = $1::uuid AND receipt_number = ANY($2::text[]) AND removed_at >= ${restorableSince('$3')}`;

/** Locks the snapshots against writers: an observation either is seen here or sees the case that is being saved. */
const LOCK_SNAPSHOTS = `
  SELECT 1 AS locked FROM case_snapshots WHERE receipt_number = ANY($1::text[])
  ORDER BY receipt_number FOR SHARE`;

const ADD = `
  INSERT INTO saved_cases (
    id, user_id, receipt_number, nickname, tags, archived_at, snoozed_until, monitoring_frequency, monitoring_paused_at,
    created_at, last_checked_at, last_known_status, form_type, status_changed_at,
    status_date, last_known_status_es, dates, first_open_day, last_open_day)
  SELECT gen_random_uuid(), $1::uuid, "receiptNumber", nickname, tags, "archivedAt", "snoozedUntil", "monitoringFrequency",
         "monitoringPausedAt", "createdAt", newest.observed_at, newest.status, nullif(newest.form_type, ''), newest.status_at,
         newest.status_date, newest.status_es,
         dates, ${openDay('min', 'dates')}, ${openDay('max', 'dates')}
  FROM jsonb_to_recordset($2::jsonb) AS row (
    "receiptNumber" text, nickname text, tags text[], "archivedAt" timestamptz, "snoozedUntil" timestamptz,
    "monitoringFrequency" text, "monitoringPausedAt" timestamptz, "createdAt" timestamptz, dates jsonb)
  LEFT JOIN case_snapshots AS newest ON newest.receipt_number = "receiptNumber"
  RETURNING ${SAVED_COLUMNS}`;

const CHANGE = `
  UPDATE saved_cases
  SET nickname = row.nickname, tags = row.tags, archived_at = row."archivedAt", snoozed_until = row."snoozedUntil",
      monitoring_frequency = row."monitoringFrequency", monitoring_paused_at = row."monitoringPausedAt"
  FROM jsonb_to_recordset($2::jsonb) AS row (
    "receiptNumber" text, nickname text, tags text[], "archivedAt" timestamptz, "snoozedUntil" timestamptz,
    "monitoringFrequency" text, "monitoringPausedAt" timestamptz)
  WHERE user_id = $1::uuid AND receipt_number = row."receiptNumber"
  RETURNING ${SAVED_COLUMNS.replaceAll(/\b(nickname|tags)\b/g, 'saved_cases.$1')}`;

const SET_DATES = `
  UPDATE saved_cases
  SET dates = $3::jsonb, first_open_day = ${openDay('min', '$3::jsonb')}, last_open_day = ${openDay('max', '$3::jsonb')}
  WHERE user_id = $1::uuid AND receipt_number = $2
  RETURNING ${SAVED_COLUMNS}`;

const REMOVE = `
  WITH removed AS (
    DELETE FROM saved_cases WHERE user_id = $1::uuid AND receipt_number = ANY($2::text[]) RETURNING *
  )
  INSERT INTO removed_cases (
    user_id, receipt_number, nickname, tags, monitoring_frequency, archived_at, snoozed_until, last_known_status,
    created_at, dates, removed_at)
  SELECT user_id, receipt_number, nickname, tags, monitoring_frequency, archived_at, snoozed_until, last_known_status,
         created_at, dates, coalesce($3::timestamptz, statement_timestamp())
  FROM removed
  ON CONFLICT (user_id, receipt_number) DO UPDATE SET
    nickname = EXCLUDED.nickname, tags = EXCLUDED.tags, monitoring_frequency = EXCLUDED.monitoring_frequency,
    archived_at = EXCLUDED.archived_at, snoozed_until = EXCLUDED.snoozed_until,
    last_known_status = EXCLUDED.last_known_status, created_at = EXCLUDED.created_at, dates = EXCLUDED.dates, removed_at = EXCLUDED.removed_at`;

const FORGET_REMOVED =
  'DELETE FROM removed_cases WHERE user_id = $1::uuid AND receipt_number = ANY($2::text[])';

const inOrder = (dates: readonly CaseDate[]) =>
  dates.toSorted((one, other) => one.day.localeCompare(other.day));

/** Returns the saved cases of a user whose lock `tx` holds; many at once take as many statements as one. */
export function ownSavedCases(
  tx: SqlExecutor,
  userId: string,
  {
    moment,
    publish,
    onChange,
  }: {
    /** The database's time, where tests move it. */
    moment: Date | undefined;
    publish: (receiptNumbers: readonly string[]) => Promise<void>;
    /** The user's list is another one now. */
    onChange: () => void;
  },
): OwnSavedCases {
  return {
    async ownerIsDeleted() {
      const rows = await tx.query('SELECT 1 AS deleted FROM deleted_users WHERE user_id = $1::uuid', [
        userId,
      ]);
      return rows.length > 0;
    },
    async planTier() {
      const [row] = await tx.query<{ tier: string }>('SELECT tier FROM plans WHERE user_id = $1::uuid', [
        userId,
      ]);
      return TIERS.find((tier) => tier === row?.tier);
    },
    async count() {
      const [row] = await tx.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM saved_cases WHERE user_id = $1::uuid',
        [userId],
      );
      return row?.count ?? 0;
    },
    async find(receiptNumbers) {
      return (await tx.query<SavedRow>(FIND, [userId, receiptNumbers])).map(toSavedCase);
    },
    async savedOf(receiptNumbers) {
      const rows = await tx.query<{ receipt_number: string; created_at: Date }>(SAVED_OF, [
        userId,
        receiptNumbers,
      ]);
      return new Map(rows.map((row) => [row.receipt_number, row.created_at.getTime()]));
    },
    async add(cases) {
      if (cases.length === 0) return [];
      onChange();
      const receiptNumbers = cases.map(({ receiptNumber }) => receiptNumber);
      await tx.query(LOCK_SNAPSHOTS, [receiptNumbers]);
      await tx.query(FORGET_REMOVED, [userId, receiptNumbers]);
      const rows = cases.map(({ createdAtMs, dates = [], ...settings }) => ({
        ...settings,
        dates: inOrder(dates),
        createdAt: new Date(createdAtMs).toISOString(),
      }));
      return (await tx.query<SavedRow>(ADD, [userId, JSON.stringify(rows)])).map(toSavedCase);
    },
    async change(cases) {
      if (cases.length === 0) return [];
      onChange();
      const rows = cases.map(
        ({ receiptNumber, nickname, tags, archivedAt, monitoringFrequency, ...rest }) => ({
          receiptNumber,
          nickname,
          tags,
          archivedAt,
          snoozedUntil: rest.snoozedUntil ? storableTime(rest.snoozedUntil) : null,
          monitoringFrequency,
          monitoringPausedAt: rest.monitoringPausedAt,
        }),
      );
      return (await tx.query<SavedRow>(CHANGE, [userId, JSON.stringify(rows)])).map(toSavedCase);
    },
    async setDates(receiptNumber, dates) {
      onChange();
      const [row] = await tx.query<SavedRow>(SET_DATES, [
        userId,
        receiptNumber,
        JSON.stringify(inOrder(dates)),
      ]);
      return row && toSavedCase(row);
    },
    async remove(receiptNumbers) {
      if (receiptNumbers.length === 0) return;
      onChange();
      await tx.query(REMOVE, [userId, receiptNumbers, moment?.toISOString() ?? null]);
    },
    async findRemoved(receiptNumbers) {
      if (receiptNumbers.length === 0) return [];
      const parameters = [userId, receiptNumbers, moment?.toISOString() ?? null];
      return (await tx.query<RemovedRow>(FIND_REMOVED, parameters)).map(toRemovedCase);
    },
    publishWatches: publish,
  };
}
