import type { AuditEntry, AuditFilters, listAudit as contract } from '@casewatch/contracts/admin-log';
import { actionsCalled, actionWords } from '@casewatch/contracts/audit-actions';
import type { AnswerOf, Parsed } from '@casewatch/contracts/route-contract';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import { maskPersonalData, maskText } from '@casewatch/service-kit/http/mask-personal-data';
import { z } from 'zod';
import type { AdminAction } from './admin-action.ts';
import { fromCursor, type Position, parseTime, toCursor } from './position.ts';

export interface AuditFilter {
  /** How the stored name of the action begins, or those that people call so. */
  readonly action?: { readonly start: string; readonly named: readonly string[] } | undefined;
  /** How the subject begins. */
  readonly subject?: string | undefined;
  /** How the name of the administrator begins, in any case. */
  readonly actor?: string | undefined;
  readonly success?: boolean | undefined;
  /** Included. */
  readonly fromMs?: number | undefined;
  /** Not included. */
  readonly toMs?: number | undefined;
}

export interface AuditTrail {
  /** Newest first. */
  list(filter: AuditFilter, olderThan: Position | undefined, limit: number): Promise<AuditEntry[]>;
  /** Stores actions, each once however often it is delivered. */
  record(tx: SqlExecutor, actions: readonly AdminAction[]): Promise<void>;
}

/** Returns a page of the audit trail, newest first. @throws AppError VALIDATION for a cursor that was never given */
export async function listAudit(
  audit: AuditTrail,
  asked: Parsed<(typeof contract)['query']>,
): Promise<AnswerOf<typeof contract>> {
  const { limit, older } = asked;
  const olderThan = older === undefined ? undefined : fromCursor('older', older);
  const found = await audit.list(toAuditFilter(asked), olderThan, limit + 1);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const hasMore = last !== undefined && found.length > limit;
  return { entries, older: hasMore ? toCursor(positionOf(last)) : null };
}

export function toAuditFilter({ action, subject, actor, success, from, to }: AuditFilters): AuditFilter {
  return {
    action: action ? { start: storableText(action), named: actionsCalled(action) } : undefined,
    subject: subject ? storableText(subject) : undefined,
    actor: actor ? storableText(actor) : undefined,
    success,
    fromMs: from === undefined ? undefined : parseTime(from),
    toMs: to === undefined ? undefined : parseTime(to),
  };
}

/** Entries in memory at a time. */
const BATCH = 200;
const COLUMNS = [
  'seq',
  'at',
  'actor',
  'role',
  'address',
  'action',
  'actionWords',
  'subject',
  'success',
  'details',
  'sessionId',
  'actorId',
  'id',
  'hash',
] as const satisfies readonly (keyof AuditEntry | 'actionWords')[];

/**
 * Returns the entries that fit as CSV, newest first, each batch read when the one before has been taken; without personal data
 * of users where `isMasked`.
 */
export async function* exportAudit(
  audit: AuditTrail,
  filter: AuditFilter,
  isMasked: boolean,
): AsyncGenerator<string> {
  const toRow = isMasked ? (entry: AuditEntry) => maskText(csvOf(maskedDetails(entry))) : csvOf;
  yield `${CSV_START}${csvRow(COLUMNS)}`;
  let olderThan: Position | undefined;
  for (;;) {
    const entries = await audit.list(filter, olderThan, BATCH);
    if (entries.length > 0) yield entries.map(toRow).join('');
    const last = entries.at(-1);
    if (!last || entries.length < BATCH) return;
    olderThan = positionOf(last);
  }
}

const nullable = z.record(z.string(), z.string().nullable());

function maskedDetails(entry: AuditEntry): AuditRow {
  return { ...entry, details: nullable.parse(maskPersonalData(entry.details)) };
}

type AuditRow = Omit<AuditEntry, 'details'> & { details: Record<string, string | null> };

function csvOf(entry: AuditRow): string {
  return csvRow(
    COLUMNS.map((column) => {
      if (column === 'actionWords') return actionWords(entry.action);
      if (column !== 'details') return entry[column];
      const details = Object.entries(entry.details);
      return details.map(([name, text]) => `${name}: ${text ?? '(masked)'}`).join('\n');
    }),
  );
}

const positionOf = ({ at, id }: AuditEntry): Position => ({ atMs: Date.parse(at), id });
