import type { SavedCase } from '@casewatch/contracts/cases';
import type { Tier } from '@casewatch/contracts/limits';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatDay, formatLastChecked } from '../../lib/format-moment.ts';
import { FREQUENCY_NAMES } from './monitoring-field.tsx';
import { SnoozeField } from './snooze-field.tsx';
import { TagList } from './tag-list.tsx';
import { pausedWords, watchWords } from './watch-words.ts';
import { SORT_NAMES } from './workspace-query.ts';

/** A row's data: with it a row that nothing changed is not drawn again. */
export interface CaseRow extends SavedCase {
  next: string | undefined;
}

export const features = tableFeatures({ rowSortingFeature });

const NAMES: Readonly<Record<string, MessageDescriptor>> = { ...SORT_NAMES, tags: msg`Tags` };
/** Returns what a column is called in the language of the page. */
export function columnName(id: string): string {
  const name = NAMES[id];
  return name ? i18n._(name) : id;
}

const header = ({ column }: { column: { id: string } }) => columnName(column.id);
const helper = createColumnHelper<typeof features, CaseRow>();
/** The columns of the table of saved cases; those that sort have the name of the server's order. */
export const columns = helper.columns([
  helper.accessor('receiptNumber', {
    id: 'receipt',
    header,
    cell: ({ row }) => <ReceiptLink {...row.original} />,
  }),
  helper.accessor('nickname', {
    id: 'nickname',
    header,
    cell: ({ row }) => row.original.nickname ?? '',
  }),
  helper.accessor('lastKnownStatus', {
    id: 'status',
    header,
    cell: ({ row }) => <Status {...row.original} />,
  }),
  helper.accessor('formType', {
    id: 'form',
    header,
    cell: ({ row }) => row.original.formType ?? '',
  }),
  helper.accessor('tags', {
    id: 'tags',
    header,
    enableSorting: false,
    cell: ({ row }) => <TagList tags={row.original.tags} />,
  }),
  helper.accessor('statusChangedAt', {
    id: 'changed',
    header,
    cell: ({ row: { original: one } }) =>
      one.statusChangedAt ? formatDay(one.statusDate ?? one.statusChangedAt) : '',
  }),
  helper.accessor('monitoringFrequency', {
    id: 'monitoring',
    header,
    cell: ({ row }) => <Monitoring {...row.original} />,
  }),
]);

/** Returns the data of the rows. Keeps the row of a case whose facts and next check are the same. */
export function useRows(
  cases: readonly SavedCase[],
  watches: ReadWatches | undefined,
  tier: Tier | undefined,
): CaseRow[] {
  const known = useRef(new Map<SavedCase, CaseRow>());
  return useMemo(() => {
    const rows = cases.map((one) => {
      const next = pausedWords(one, tier) ?? nextCheck(one, watches);
      const before = known.current.get(one);
      return before && before.next === next ? before : { ...one, next };
    });
    known.current = new Map(cases.map((one, index) => [one, rows[index] ?? { ...one, next: undefined }]));
    return rows;
  }, [cases, watches, tier]);
}

function nextCheck({ receiptNumber, monitoringFrequency }: SavedCase, watches: ReadWatches | undefined) {
  if (monitoringFrequency === 'none' || !watches) return undefined;
  const { reason, next } = watchWords(
    watches.byReceipt.get(receiptNumber),
    monitoringFrequency,
    watches.readAtMs,
  );
  return reason === undefined ? next : `${next}. ${reason}`;
}

function ReceiptLink({ receiptNumber }: CaseRow) {
  return (
    <Link className="receipt-number" to={`/cases/${receiptNumber}`}>
      {receiptNumber}
    </Link>
  );
}

function Status({ lastKnownStatus, needsAction, statusEs }: CaseRow) {
  if (!lastKnownStatus) return t`Not checked yet`;
  return (
    <span className="status-marks">
      <StatusBadge status={lastKnownStatus} statusEs={statusEs} />
      {needsAction && <NeedsAction />}
    </span>
  );
}

function Monitoring(row: CaseRow) {
  const { monitoringFrequency, next, lastCheckedAt } = row;
  return (
    <>
      {i18n._(FREQUENCY_NAMES[monitoringFrequency])}
      <span className="case-table-note">{next ?? t`Last checked: ${formatLastChecked(lastCheckedAt)}`}</span>
      {monitoringFrequency !== 'none' && <SnoozeField savedCase={row} place="cell" />}
    </>
  );
}
