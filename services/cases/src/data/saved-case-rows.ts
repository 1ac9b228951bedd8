import type { CaseDate } from '@casewatch/contracts/case-dates';
import type { SavedCase } from '@casewatch/contracts/cases';
import {
  MONITORING_FREQUENCIES,
  type MonitoringFrequency,
  REMOVED_CASES_DAYS,
} from '@casewatch/contracts/limits';
import { needsAction } from '@casewatch/contracts/status-guide';
import { parseAgencyDate } from '../domain/agency.ts';
import type { StoredRemovedCase } from '../domain/saved-case-store.ts';

/**
 * When the agency was asked last about a case of `saved_cases`. A check that finds nothing new writes the time into the snapshot alone:
 * the column has that of the last one that found something. Null before the first one.
 */
export const LAST_CHECKED = `
  CASE WHEN last_checked_at IS NOT NULL THEN (
    SELECT observed_at FROM case_snapshots AS newest WHERE newest.receipt_number = saved_cases.receipt_number) END`;

/** Of `saved_cases`. */
export const SAVED_COLUMNS = `
  id, user_id AS "userId", receipt_number AS "receiptNumber", nickname, tags, archived_at AS "archivedAt",
  monitoring_frequency AS "monitoringFrequency", monitoring_paused_at AS "monitoringPausedAt",
  ${LAST_CHECKED} AS "lastCheckedAt",
  snoozed_until AS "snoozedUntil",
  last_known_status AS "lastKnownStatus", form_type AS "formType", status_changed_at AS "statusChangedAt",
  status_date AS "statusDate", dates,
  last_known_status_es AS "statusEs", created_at AS "createdAt"`;

export const REMOVED_COLUMNS = `
  receipt_number AS "receiptNumber", nickname, tags, archived_at AS "archivedAt",
  snoozed_until AS "snoozedUntil", monitoring_frequency AS "monitoringFrequency",
  last_known_status AS "lastKnownStatus", created_at AS "createdAt", dates, removed_at AS "removedAt"`;

/**
 * Returns the time before which removed cases can't be restored any more, by the database's time, or by the parameter where tests move it. In hours: a day of a
 * time zone may have 23 or 25.
 */
export const restorableSince = (moment: string) =>
  `coalesce(${moment}::timestamptz, statement_timestamp()) - interval '${REMOVED_CASES_DAYS * 24} hours'`;

interface KeptRow {
  receiptNumber: string;
  nickname: string | null;
  tags: string[];
  archivedAt: Date | null;
  snoozedUntil: Date | null;
  monitoringFrequency: string;
  lastKnownStatus: string | null;
  createdAt: Date;
  dates: CaseDate[];
}
export interface SavedRow extends KeptRow {
  id: string;
  userId: string;
  monitoringPausedAt: Date | null;
  lastCheckedAt: Date | null;
  statusEs: string | null;
  formType: string | null;
  statusChangedAt: Date | null;
  statusDate: string | null;
}
export interface RemovedRow extends KeptRow {
  removedAt: Date;
}

export function toSavedCase(row: SavedRow): SavedCase {
  return {
    id: row.id,
    userId: row.userId,
    receiptNumber: row.receiptNumber,
    nickname: row.nickname,
    monitoringFrequency: frequencyOf(row.monitoringFrequency),
    monitoringPausedAt: row.monitoringPausedAt?.toISOString() ?? null,
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    lastKnownStatus: row.lastKnownStatus,
    needsAction: needsAction(row.lastKnownStatus),
    statusEs: row.statusEs ?? undefined,
    createdAt: row.createdAt.toISOString(),
    tags: row.tags,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    formType: row.formType,
    statusChangedAt: row.statusChangedAt?.toISOString() ?? null,
    statusDate: row.statusDate === null ? undefined : dayOf(row.statusDate),
    ...(row.dates.length > 0 ? { dates: row.dates } : {}),
  };
}

/** Returns the day of a date that the agency wrote; undefined when it can't be read. */
export function dayOf(agencyDate: string): string | undefined {
  const ms = parseAgencyDate(agencyDate);
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
}

export function toRemovedCase(row: RemovedRow): StoredRemovedCase {
  return {
    receiptNumber: row.receiptNumber,
    nickname: row.nickname,
    tags: row.tags,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    monitoringFrequency: frequencyOf(row.monitoringFrequency),
    lastKnownStatus: row.lastKnownStatus,
    dates: row.dates,
    createdAtMs: row.createdAt.getTime(),
    removedAtMs: row.removedAt.getTime(),
  };
}

/** Narrows the values of columns with a CHECK; the type of a text column can't say so. */
export function frequencyOf(text: string): MonitoringFrequency {
  const found = MONITORING_FREQUENCIES.find((frequency) => frequency === text);
  if (!found) throw new Error(`the database holds the monitoring frequency ${text}`);
  return found;
}
