import './case-table.scss';
import './case-table-columns.scss';
import './case-table-stack.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Row, type SortingState, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useMe } from '../../api/session.ts';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import type { WorkspaceQuery } from '../../api/workspace.ts';
import { Icon } from '../../components/icon.tsx';
import { usePageClass } from '../../lib/use-page-class.ts';
import {
  type CaseRow,
  columns,
  features,
  type RowCommand,
  RowCommandContext,
  useRows,
} from './case-columns.tsx';
import { type AskedRow, CaseRowActions } from './case-row-actions.tsx';
import { CaseRowView } from './case-table-row.tsx';
import type { TableLook } from './use-table-look.ts';
import { firstOrderOf, SORTS } from './workspace-query.ts';

/** From here on only the rows around what is seen are in the page. */
const VIRTUAL_FROM = 500;
/** As case-table.scss has it, in parts of the text's size. */
const ROW_HEIGHT = { comfortable: 2.5, compact: 2.25 };
const OVERSCAN = 12;
/** In parts of the text's size. */
const NAME_WIDTH_MIN = 7;

interface CaseTableProps {
  cases: readonly SavedCase[];
  /** How many cases there are in all, also those that are not read yet. */
  total: number;
  query: Pick<WorkspaceQuery, 'sort' | 'order'>;
  onSort: (sort: WorkspaceQuery['sort'], order: WorkspaceQuery['order']) => void;
  watches: ReadWatches | undefined;
  selected: ReadonlyMap<string, SavedCase>;
  onSelect: (cases: readonly SavedCase[], isOn: boolean) => void;
  look: TableLook;
}

/** Renders the saved cases as a table that sorts at the server. Rows are selected one by one, or all that are shown. */
export function CaseTable({
  cases,
  total,
  query,
  onSort,
  watches,
  selected,
  onSelect,
  look,
}: CaseTableProps) {
  const { user } = useMe();
  usePageClass('with-case-table');
  const data = useRows(cases, watches, user?.tier);
  const sorting = useMemo(
    (): SortingState => [{ id: query.sort, desc: query.order === 'desc' }],
    [query.sort, query.order],
  );
  const shownColumns = useMemo(
    () => columns.filter(({ id = '' }) => !look.hidden.includes(id)),
    [look.hidden],
  );
  const table = useTable({
    features,
    columns: shownColumns,
    data,
    getRowId: ({ receiptNumber }) => receiptNumber,
    manualSorting: true,
    state: { sorting },
  });
  const rows = table.getRowModel().rows;
  const { body, isVirtual, before, shown, after, measure } = useShownRows(rows, look.isCompact);
  const selectRow = useRangeSelection(cases, onSelect);
  const [asked, setAsked] = useState<AskedRow>();
  const command = useCallback<RowCommand>(
    (row, what, button) =>
      setAsked((before) => (before?.button === button ? undefined : { row, what, button })),
    [],
  );
  const { area, isScrolled } = useRoom(shownColumns.length);
  const selectedHere = cases.filter(({ receiptNumber }) => selected.has(receiptNumber)).length;
  const all = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (all.current) all.current.indeterminate = selectedHere > 0 && selectedHere < cases.length;
  }, [selectedHere, cases.length]);

  return (
    <div className={`case-table-area ${isScrolled ? 'case-table-scrolled' : ''}`} ref={area}>
      <RowCommandContext value={command}>
        <table
          className={`case-table ${look.isCompact ? 'case-table-compact' : ''}`}
          aria-rowcount={isVirtual || total > cases.length ? total + 1 : undefined}
        >
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
              <td className="case-table-menu" />
            </tr>
          </thead>
          <Spacer height={before} columns={shownColumns.length + 2} />
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
                  onSelect={selectRow}
                  measure={measure}
                  hidden={look.hidden}
                  renderCell={table.FlexRender}
                />
              );
            })}
          </tbody>
          <Spacer height={after} columns={shownColumns.length + 2} />
        </table>
      </RowCommandContext>
      <CaseRowActions
        asked={asked && { ...asked, row: data.find(({ id }) => id === asked.row.id) ?? asked.row }}
        onAsk={setAsked}
        onRemoved={(removed) => onSelect([removed], false)}
        onFocusLost={() => area.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })}
      />
    </div>
  );
}

/** Which rows are in the page, and how much room the others take before and after them. */
function useShownRows(rows: readonly Row<typeof features, CaseRow>[], isCompact: boolean) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const turn = ({ type }: Event) => flushSync(() => setIsPrinting(type === 'beforeprint'));
    for (const name of ['beforeprint', 'afterprint']) window.addEventListener(name, turn);
    return () => {
      for (const name of ['beforeprint', 'afterprint']) window.removeEventListener(name, turn);
    };
  }, []);
  const isVirtual = rows.length > VIRTUAL_FROM && !isPrinting;
  useLayoutEffect(() => {
    const head = body.current?.parentElement?.querySelector('thead');
    if (isVirtual && head) setTop(head.getBoundingClientRect().bottom + window.scrollY);
  }, [isVirtual]);
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? rows.length : 0,
    estimateSize: () => remPx() * (isCompact ? ROW_HEIGHT.compact : ROW_HEIGHT.comfortable),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
    // The page's own smooth scrolling would run after every correction for a row that is higher than it was thought to be.
    scrollToFn: (offset, { adjustments = 0 }) =>
      window.scrollTo({ top: offset + adjustments, behavior: 'instant' }),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another density have another height.
  useLayoutEffect(() => virtualizer.measure(), [isCompact]);
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

/** Selects a row, or with the Shift key all from the row before to it. */
function useRangeSelection(cases: readonly SavedCase[], onSelect: CaseTableProps['onSelect']) {
  const shown = useRef(cases);
  useLayoutEffect(() => {
    shown.current = cases;
  }, [cases]);
  const last = useRef<string>(undefined);
  return useCallback(
    (one: SavedCase, isOn: boolean, isRange: boolean) => {
      const numbers = shown.current.map(({ receiptNumber }) => receiptNumber);
      const [from, to] = [numbers.indexOf(last.current ?? ''), numbers.indexOf(one.receiptNumber)];
      last.current = one.receiptNumber;
      if (!isRange || from < 0) return onSelect([one], isOn);
      onSelect(shown.current.slice(Math.min(from, to), Math.max(from, to) + 1), isOn);
    },
    [onSelect],
  );
}

/** Whether the columns need more than the page has: they are scrolled sideways then, and all else stays. */
function useRoom(columnCount: number) {
  const area = useRef<HTMLDivElement>(null);
  const [isScrolled, setIsScrolled] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more columns need more room.
  useLayoutEffect(() => {
    const look = () => {
      if (!area.current) return;
      const heads = [
        ...area.current.querySelectorAll<HTMLElement>('thead th:not([data-column="nickname"]), thead td'),
      ];
      const others = heads.reduce((sum, { offsetWidth }) => sum + offsetWidth, 0);
      setIsScrolled(others + NAME_WIDTH_MIN * remPx() > area.current.clientWidth);
    };
    const observer = new ResizeObserver(look);
    if (area.current) observer.observe(area.current);
    look();
    return () => observer.disconnect();
  }, [columnCount]);
  return { area, isScrolled };
}

const remPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

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

/** Stands for the rows that are not in the page. */
function Spacer({ height, columns: colSpan }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr>
        <td colSpan={colSpan} style={{ height, padding: 0 }} />
      </tr>
    </tbody>
  );
}
