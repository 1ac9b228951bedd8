import './case-table.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Cell, type Row, type SortingState, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useMe } from '../../api/session.ts';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import type { WorkspaceQuery } from '../../api/workspace.ts';
import { Icon } from '../../components/icon.tsx';
import { usePageClass } from '../../lib/use-page-class.ts';
import { type CaseRow, columnName, columns, features, useRows } from './case-columns.tsx';
import { firstOrderOf, SORTS } from './workspace-query.ts';

/** From here on only the rows around what is seen are in the page. */
const VIRTUAL_FROM = 500;
const ROW_HEIGHT = 57;
const OVERSCAN = 12;

interface CaseTableProps {
  cases: readonly SavedCase[];
  /** How many cases there are in all, also those that are not read yet. */
  total: number;
  query: Pick<WorkspaceQuery, 'sort' | 'order'>;
  onSort: (sort: WorkspaceQuery['sort'], order: WorkspaceQuery['order']) => void;
  watches: ReadWatches | undefined;
  selected: ReadonlyMap<string, SavedCase>;
  onSelect: (cases: readonly SavedCase[], isOn: boolean) => void;
}

/** Renders the saved cases as a table that sorts at the server. Rows are selected one by one, or all that are shown. */
export function CaseTable({ cases, total, query, onSort, watches, selected, onSelect }: CaseTableProps) {
  const { user } = useMe();
  usePageClass('with-case-table');
  const data = useRows(cases, watches, user?.tier);
  const sorting = useMemo(
    (): SortingState => [{ id: query.sort, desc: query.order === 'desc' }],
    [query.sort, query.order],
  );
  const table = useTable({
    features,
    columns,
    data,
    getRowId: ({ receiptNumber }) => receiptNumber,
    manualSorting: true,
    state: { sorting },
  });
  const rows = table.getRowModel().rows;
  const { body, isVirtual, before, shown, after, measure } = useShownRows(rows);
  const selectedHere = cases.filter(({ receiptNumber }) => selected.has(receiptNumber)).length;
  const all = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (all.current) all.current.indeterminate = selectedHere > 0 && selectedHere < cases.length;
  }, [selectedHere, cases.length]);

  return (
    <div className="case-table-area">
      <table className="case-table" aria-rowcount={isVirtual || total > cases.length ? total + 1 : undefined}>
        <caption className="visually-hidden">
          <Trans>Saved cases</Trans>
        </caption>
        <thead>
          <tr aria-rowindex={isVirtual ? 1 : undefined}>
            <th scope="col" className="case-table-select">
              <input
                ref={all}
                type="checkbox"
                className="choice-input"
                aria-label={t`Select all shown`}
                checked={cases.length > 0 && selectedHere === cases.length}
                onChange={({ currentTarget }) => onSelect(cases, currentTarget.checked)}
              />
            </th>
            {table.getFlatHeaders().map((header) => (
              <SortHeader
                key={header.id}
                id={header.id}
                isSortable={header.column.getCanSort()}
                sorted={header.column.getIsSorted()}
                onSort={onSort}
              >
                <table.FlexRender header={header} />
              </SortHeader>
            ))}
          </tr>
        </thead>
        <Spacer height={before} />
        <tbody ref={body}>
          {shown.map((index) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <CaseRowView
                key={row.id}
                row={row}
                data={row.original}
                index={index}
                isIndexed={isVirtual}
                isSelected={selected.has(row.id)}
                onSelect={onSelect}
                measure={measure}
                renderCell={table.FlexRender}
              />
            );
          })}
        </tbody>
        <Spacer height={after} />
      </table>
    </div>
  );
}

/** Which rows are in the page, and how much room the others take before and after them. */
function useShownRows(rows: readonly Row<typeof features, CaseRow>[]) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const isVirtual = rows.length > VIRTUAL_FROM;
  useLayoutEffect(() => {
    const head = body.current?.parentElement?.querySelector('thead');
    if (isVirtual && head) setTop(head.getBoundingClientRect().bottom + window.scrollY);
  }, [isVirtual]);
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? rows.length : 0,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    // The page's own smooth scrolling would run after every correction for a row that is higher than it was thought to be.
    scrollToFn: (offset, { adjustments = 0 }) =>
      window.scrollTo({ top: offset + adjustments, behavior: 'instant' }),
  });
  if (!isVirtual)
    return { body, isVirtual, before: 0, shown: rows.map((_, index) => index), after: 0, measure: undefined };
  const items = virtualizer.getVirtualItems();
  return {
    body,
    isVirtual,
    before: (items[0]?.start ?? top) - top,
    shown: items.map(({ index }) => index),
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
    measure: virtualizer.measureElement,
  };
}

interface SortHeaderProps {
  id: string;
  isSortable: boolean;
  sorted: 'asc' | 'desc' | false;
  onSort: CaseTableProps['onSort'];
  children: ReactNode;
}

function SortHeader({ id, isSortable, sorted, onSort, children }: SortHeaderProps) {
  const sort = SORTS.find((one) => one === id);
  if (!isSortable || !sort) {
    return (
      <th scope="col" data-column={id}>
        {children}
      </th>
    );
  }
  const next = sorted === false ? firstOrderOf(sort) : sorted === 'asc' ? 'desc' : 'asc';
  return (
    <th
      scope="col"
      data-column={id}
      aria-sort={sorted === false ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
    >
      <button type="button" className="sort-button" onClick={() => onSort(sort, next)}>
        {children}
        <Icon
          name={sorted === 'asc' ? 'chevron-up' : 'chevron-down'}
          size={14}
          className={sorted === false ? 'sort-idle' : ''}
        />
      </button>
    </th>
  );
}

interface CaseRowProps {
  row: Row<typeof features, CaseRow>;
  data: CaseRow;
  index: number;
  isIndexed: boolean;
  isSelected: boolean;
  onSelect: CaseTableProps['onSelect'];
  measure: ((element: Element | null) => void) | undefined;
  renderCell: (props: { cell: Cell<typeof features, CaseRow> }) => ReactNode;
}

const CaseRowView = memo(
  function CaseRowView({
    row,
    data,
    index,
    isIndexed,
    isSelected,
    onSelect,
    measure,
    renderCell: Content,
  }: CaseRowProps) {
    return (
      <tr
        ref={measure}
        data-index={index}
        aria-rowindex={isIndexed ? index + 2 : undefined}
        className={isSelected ? 'case-table-selected' : ''}
      >
        <td className="case-table-select">
          <input
            type="checkbox"
            className="choice-input"
            aria-label={t`Select ${data.receiptNumber}`}
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect([data], currentTarget.checked)}
          />
        </td>
        {row.getAllCells().map((cell) => (
          <td key={cell.id} data-column={cell.column.id} data-label={columnName(cell.column.id)}>
            <Content cell={cell} />
          </td>
        ))}
      </tr>
    );
  },
  (one, other) =>
    one.data === other.data &&
    one.index === other.index &&
    one.isIndexed === other.isIndexed &&
    one.isSelected === other.isSelected &&
    one.onSelect === other.onSelect,
);

/** Stands for the rows that are not in the page. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr>
        <td colSpan={columns.length + 1} style={{ height, padding: 0 }} />
      </tr>
    </tbody>
  );
}
