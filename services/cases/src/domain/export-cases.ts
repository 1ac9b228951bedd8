import { writeCaseDates } from '@casewatch/contracts/case-date-kinds';
import type { SavedCase } from '@casewatch/contracts/cases';
import type { CASE_EXPORT_CONTENTS, ExportedCase } from '@casewatch/contracts/exports';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import type { Caller } from '@casewatch/service-kit/http/route';
import { type TimesInZone, timesInZone } from '@casewatch/service-kit/http/times-in-zone';
import { mergeHistory, type Observation } from './case-history.ts';

export type ExportContent = (typeof CASE_EXPORT_CONTENTS)[number];

/** Which of a user's saved cases. */
export interface ExportSelection {
  userId: string;
  /** Undefined: all, archived ones too. */
  receiptNumbers?: readonly string[] | undefined;
}

export interface CaseWithObservations extends SavedCase {
  /** Empty where they were not asked for. */
  observations: Observation[];
}

export interface CaseExportStore {
  /** Rows that an export will have; of `history` at most. */
  countForExport(selection: ExportSelection, content: ExportContent): Promise<number>;
  /** Newest first, those after the given case, at most `limit`. */
  pageForExport(
    selection: ExportSelection,
    page: { after: Pick<SavedCase, 'createdAt' | 'id'> | undefined; limit: number; withHistory: boolean },
  ): Promise<CaseWithObservations[]>;
}

/** Cases in memory at a time; with a history of 50 entries each, 2,000 rows. */
const PAGE = { cases: 500, history: 10 };

/** @throws AppError PRO_REQUIRED for a free user */
export function requireExport({ tier }: Pick<Caller, 'tier'>): void {
  if (tier !== 'pro') throw new AppError('PRO_REQUIRED', 'pro-export');
}

/** Returns the saved cases, or every status that each was in, as CSV. */
export async function* exportCsv(
  store: CaseExportStore,
  selection: ExportSelection,
  { content, timeZone }: { content: ExportContent; timeZone: string },
): AsyncGenerator<string> {
  const times = timesInZone(timeZone);
  const isHistory = content === 'history';
  yield CSV_START + csvRow(isHistory ? historyHead(times) : caseHead(times));
  const write = isHistory ? historyRows : caseRow;
  for await (const cases of pages(store, selection, isHistory)) {
    yield cases.map((one) => write(one, times)).join('');
  }
}

/** Returns the saved cases with their history, one JSON object a line. */
export async function* exportNdjson(
  store: CaseExportStore,
  selection: ExportSelection,
): AsyncGenerator<string> {
  for await (const cases of pages(store, selection, true)) {
    yield cases.map((one) => `${JSON.stringify(toExported(one))}\n`).join('');
  }
}

/**
 * Each page is read when the one before has been taken: a slow reader costs neither memory nor a connection, and what is
 * removed during the export is left out.
 */
async function* pages(store: CaseExportStore, selection: ExportSelection, withHistory: boolean) {
  const limit = withHistory ? PAGE.history : PAGE.cases;
  let after: SavedCase | undefined;
  for (;;) {
    const cases = await store.pageForExport(selection, { after, limit, withHistory });
    if (cases.length > 0) yield cases;
    after = cases.at(-1);
    if (!after || cases.length < limit) return;
  }
}

const caseHead = ({ name }: TimesInZone) => [
  'Receipt Number',
  'Nickname',
  'Tags',
  'Form',
  'Last Status',
  `Status Since (${name})`,
  'Monitoring',
  `Last Checked (${name})`,
  `Saved (${name})`,
  `Archived (${name})`,
  'Dates',
];

function caseRow(one: SavedCase, { write }: TimesInZone): string {
  return csvRow([
    one.receiptNumber,
    one.nickname,
    one.tags.join(', '),
    one.formType,
    one.lastKnownStatus,
    one.statusDate ?? write(one.statusChangedAt),
    one.monitoringFrequency,
    write(one.lastCheckedAt),
    write(one.createdAt),
    write(one.archivedAt),
    writeCaseDates((one.dates ?? []).map((date) => ({ ...date, done: date.doneAt !== null }))),
  ]);
}

const historyHead = ({ name }: TimesInZone) => [
  'Receipt Number',
  'Nickname',
  'Status',
  'Date (agency)',
  'Source',
  `First Seen (${name})`,
  `Withdrawn (${name})`,
];

function historyRows(
  { receiptNumber, nickname, observations }: CaseWithObservations,
  { write }: TimesInZone,
) {
  return mergeHistory(observations)
    .map(({ caseStatus, statusHistDate, source, firstObservedAt, withdrawnAt }) =>
      csvRow([
        receiptNumber,
        nickname,
        caseStatus,
        statusHistDate,
        source,
        write(firstObservedAt),
        write(withdrawnAt ?? null),
      ]),
    )
    .join('');
}

function toExported(exported: CaseWithObservations): ExportedCase {
  const {
    id: _id,
    userId: _userId,
    statusEs: _statusEs,
    needsAction: _needsAction,
    observations,
    ...one
  } = exported;
  return { ...one, history: mergeHistory(observations) };
}
