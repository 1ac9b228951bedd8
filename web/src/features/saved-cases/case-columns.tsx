import type { SavedCase } from '@casewatch/contracts/cases';
import type { Tier } from '@casewatch/contracts/limits';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { createContext, useContext, useMemo, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import { Icon } from '../../components/icon.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StatusBadge, shownStatus } from '../../components/status-badge.tsx';
import { dateText, nextDate } from '../../lib/case-date-words.ts';
import { formatDay, formatLastChecked } from '../../lib/format-moment.ts';
import { columnName } from './column-names.ts';
import { FREQUENCY_NAMES } from './monitoring-field.tsx';
import { pausedWords, type WatchWords, watchWords } from './watch-words.ts';

/** A row's data: with it a row that nothing changed is not drawn again. */
export interface CaseRow extends SavedCase {
  watch: WatchWords | undefined;
}

/** What a row's buttons ask of the table. */
export type RowCommand = (row: CaseRow, what: 'menu' | 'nickname', button: HTMLElement) => void;
export const RowCommandContext = createContext<RowCommand>(() => undefined);

export const features = tableFeatures({ rowSortingFeature });

const header = ({ column }: { column: { id: string } }) => columnName(column.id);
const helper = createColumnHelper<typeof features, CaseRow>();
/** The columns of the table of saved cases, the name first; those that sort have the name of the server's order. */
export const columns = helper.columns([
  helper.accessor('nickname', { id: 'nickname', header, cell: ({ row }) => <Name {...row.original} /> }),
  helper.accessor('receiptNumber', {
    id: 'receipt',
    header,
    cell: ({ row }) => <ReceiptLink {...row.original} />,
  }),
  helper.accessor('lastKnownStatus', {
    id: 'status',
    header,
    cell: ({ row }) => <Status {...row.original} />,
  }),
  helper.accessor('needsAction', {
    id: 'action',
    header,
    enableSorting: false,
    cell: ({ row }) => row.original.needsAction && <NeedsAction />,
  }),
  helper.accessor('formType', {
    id: 'form',
    header,
    cell: ({ row }) => row.original.formType ?? '',
  }),
  helper.accessor('statusChangedAt', {
    id: 'changed',
    header,
    cell: ({ row: { original: one } }) =>
      one.statusChangedAt ? formatDay(one.statusDate ?? one.statusChangedAt) : '',
  }),
  helper.accessor('dates', {
    id: 'date',
    header,
    cell: ({ row }) => <NextDate {...row.original} />,
  }),
  helper.accessor('monitoringFrequency', {
    id: 'monitoring',
    header,
    cell: ({ row }) => <Monitoring {...row.original} />,
  }),
  helper.accessor('tags', {
    id: 'tags',
    header,
    enableSorting: false,
    cell: ({ row }) => <Tags {...row.original} />,
  }),
  helper.accessor('lastCheckedAt', {
    id: 'checked',
    header,
    enableSorting: false,
    cell: ({ row }) => formatLastChecked(row.original.lastCheckedAt),
  }),
  helper.accessor('createdAt', {
    id: 'created',
    header,
    cell: ({ row }) => formatDay(row.original.createdAt),
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
      const watch = watchOf(one, watches, tier);
      const before = known.current.get(one);
      const isSame = before && before.watch?.next === watch?.next && before.watch?.reason === watch?.reason;
      return isSame ? before : { ...one, watch };
    });
    known.current = new Map(cases.map((one, index) => [one, rows[index] ?? { ...one, watch: undefined }]));
    return rows;
  }, [cases, watches, tier]);
}

function watchOf(one: SavedCase, watches: ReadWatches | undefined, tier: Tier | undefined) {
  const paused = pausedWords(one, tier);
  if (paused !== undefined) return { next: paused, short: paused };
  if (one.monitoringFrequency === 'none' || !watches) return undefined;
  return watchWords(watches.byReceipt.get(one.receiptNumber), one.monitoringFrequency, watches.readAtMs);
}

/** Returns all that is known of when a case is checked: the late check's reason, the next check, the last one. */
export function checkDetails({ monitoringFrequency, watch, lastCheckedAt }: CaseRow): string[] {
  return [
    ...(monitoringFrequency !== 'none' && watch ? [watch.next, watch.reason ?? ''] : []),
    t`Last checked: ${formatLastChecked(lastCheckedAt)}`,
  ].filter((words) => words !== '');
}

function Name(row: CaseRow) {
  const { nickname, receiptNumber } = row;
  const command = useContext(RowCommandContext);
  if (nickname) {
    return (
      <Link className="case-table-name" to={`/cases/${receiptNumber}`} title={nickname}>
        {nickname}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className="case-table-add"
      onClick={({ currentTarget }) => {
        // The button goes once there is a nickname; the one of the row's menu stays, and gets the focus back.
        const menu = currentTarget.closest('tr')?.querySelector<HTMLElement>('.case-table-menu button');
        menu?.focus({ preventScroll: true });
        command(row, 'nickname', menu ?? currentTarget);
      }}
    >
      <Trans>
        Add nickname<span className="visually-hidden"> to {receiptNumber}</span>
      </Trans>
    </button>
  );
}

function ReceiptLink({ receiptNumber }: CaseRow) {
  return (
    <Link className="receipt-number" to={`/cases/${receiptNumber}`}>
      {receiptNumber}
    </Link>
  );
}

function Status({ lastKnownStatus, statusEs }: CaseRow) {
  if (!lastKnownStatus) return <span className="case-table-soft">{t`Not checked yet`}</span>;
  const status = { status: lastKnownStatus, statusEs };
  return (
    <span className="case-table-status" title={shownStatus(status).text}>
      <StatusBadge {...status} />
    </span>
  );
}

function NextDate({ dates }: CaseRow) {
  const next = nextDate(dates);
  if (!next) return null;
  const words = dateText(next.kind, next.day);
  return (
    <span
      className={next.isPast ? 'case-table-late' : ''}
      title={next.isPast ? `${words} (${t`passed`})` : words}
    >
      {next.isPast && <Icon name="alert-triangle" size={14} />}
      {formatDay(next.day)}
      {next.isPast && <span className="visually-hidden"> ({t`passed`})</span>}
    </span>
  );
}

function Monitoring(row: CaseRow) {
  const { monitoringFrequency, watch } = row;
  const name = i18n._(FREQUENCY_NAMES[monitoringFrequency]);
  const title = checkDetails(row).join('. ');
  if (monitoringFrequency === 'none' || !watch) {
    return (
      <span className="case-table-soft" title={title}>
        {name}
      </span>
    );
  }
  return (
    <span className={watch.reason === undefined ? '' : 'case-table-late'} title={title}>
      {watch.reason !== undefined && <Icon name="alert-triangle" size={14} />}
      {name} · {watch.short}
    </span>
  );
}

/** The first tag, and how many more there are; a screen reader reads them all. */
function Tags({ tags }: CaseRow) {
  const [first, ...more] = tags;
  if (first === undefined) return null;
  return (
    <span className="case-table-tags" title={tags.join(', ')}>
      <span>{first}</span>
      {more.length > 0 && (
        <>
          <span aria-hidden="true">+{more.length}</span>
          <span className="visually-hidden">, {more.join(', ')}</span>
        </>
      )}
    </span>
  );
}
