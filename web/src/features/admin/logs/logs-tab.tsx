import './overview.scss';
import './log-tools.scss';
import './log-table.scss';
import './log-details.scss';
import type { ApiLog } from '@casewatch/contracts/admin-log';
import { ADMIN_LOG_PAGE_SIZE } from '@casewatch/contracts/limits';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  type LogFilterTexts,
  type LogPage,
  readCallOverviewAgain,
  useLog,
  useLogs,
} from '../../../api/admin-logs.ts';
import { isAdminEnded } from '../../../api/admin-session.ts';
import { hasCode } from '../../../api/api-error.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { TimeZoneNote } from '../shared/admin-words.tsx';
import { AgencyQueueCard } from './agency-queue-card.tsx';
import { CallOverviewCards } from './call-overview-cards.tsx';
import { useLogColumns } from './log-columns.tsx';
import { LogDetailsDialog } from './log-details-dialog.tsx';
import { readFilters, readPage, readRow, withFilters, withPage, withRow } from './log-filters.ts';
import { LogFiltersForm } from './log-filters-form.tsx';
import { LogPaging } from './log-paging.tsx';
import { LogSearch } from './log-search.tsx';
import { LogTable } from './log-table.tsx';
import { LogTools } from './log-tools.tsx';
import { type LiveTail, newestFirst, useLiveTail } from './use-live-tail.ts';
import { useLogKeys } from './use-log-keys.ts';

/** Renders the lookups: an overview in one line, the search, and the log itself with pages, a live tail and the open row. */
export function LogsTab() {
  const [params, setParams] = useSearchParams();
  const filters = useFilters(params);
  const { q, ...fields } = filters;
  const page = readPage(params);
  const [wantsLive, setWantsLive] = useState(false);
  const isLive = wantsLive && page === 1;
  const search = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDetailsElement>(null);
  const list = useRef<HTMLElement>(null);
  const [refusal, setRefusal] = useState<string>();
  useLogKeys({
    list,
    onSearch: () => search.current?.focus(),
    onHelp: () => {
      if (!help.current) return;
      help.current.open = true;
      help.current.querySelector('summary')?.focus();
    },
  });

  const choose = (next: LogFilterTexts) => setParams(withFilters(params, next));
  const turnTo = (wanted: number) => {
    setWantsLive(false);
    setParams(withPage(params, wanted));
  };
  const setLive = (on: boolean) => {
    setWantsLive(on);
    if (on && page !== 1) setParams(withPage(params, 1));
  };

  return (
    <>
      <h2>API Logs</h2>
      <CallOverviewCards isLive={isLive} />
      <AgencyQueueCard />
      <LogSearch
        q={q ?? ''}
        refusal={refusal}
        field={search}
        help={help}
        onSearch={(text) => choose({ ...fields, ...(text === '' ? {} : { q: text }) })}
      />
      <LogFiltersForm filters={fields} onApply={(next) => choose({ ...next, ...(q ? { q } : {}) })} />
      <LogList
        section={list}
        filters={filters}
        page={page}
        isLive={isLive}
        onLive={setLive}
        onPage={turnTo}
        onRefusal={setRefusal}
      />
    </>
  );
}

/** The same object as long as the address filters alike: a row that is opened is no other search. */
function useFilters(params: URLSearchParams): LogFilterTexts {
  const written = JSON.stringify(readFilters(params));
  return useMemo((): LogFilterTexts => JSON.parse(written), [written]);
}

interface LogListProps {
  section: RefObject<HTMLElement | null>;
  filters: LogFilterTexts;
  page: number;
  isLive: boolean;
  onLive: (on: boolean) => void;
  onPage: (page: number) => void;
  /** What the server says is wrong with the search; undefined when nothing is. */
  onRefusal: (message: string | undefined) => void;
}

function LogList({ section, filters, page, isLive, onLive, onPage, onRefusal }: LogListProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useLogs(filters, page);
  const client = useQueryClient();
  const tail = useLiveTail(isLive, filters, isPlaceholderData ? undefined : data);
  const shownSearch = useShownSearch(filters, isPlaceholderData);
  const { columns, shown, toggle } = useLogColumns();
  const [params, setParams] = useSearchParams();
  const open = useCallback(
    (log: ApiLog) => setParams((now) => withRow(now, log.place), { preventScrollReset: true }),
    [setParams],
  );
  const refusal = refusalOf(error);
  useEffect(() => onRefusal(refusal), [onRefusal, refusal]);
  useFailureToast(refusal === undefined ? error : null);
  useFocusOnNewRows(section, page, isPlaceholderData || data === undefined);

  const lastPage = data?.totalIsExact ? Math.max(1, Math.ceil(data.totalCount / ADMIN_LOG_PAGE_SIZE)) : page;
  const isBeyond = !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isBeyond) onPage(lastPage);
  }, [isBeyond, lastPage, onPage]);

  return (
    <section aria-label="Lookups at the agency" ref={section}>
      <LogTools
        filters={filters}
        isLive={isLive}
        isRefreshing={isFetching}
        onLive={onLive}
        onRefresh={() => {
          void refetch();
          readCallOverviewAgain(client);
        }}
        shownColumns={shown}
        onToggleColumn={toggle}
      />
      {data === undefined ? (
        isFetching ? (
          <Spinner />
        ) : (
          refusal === undefined && (
            <LoadFailure className="card admin-message" error={error} onRetry={() => void refetch()}>
              <p>The log could not be loaded.</p>
            </LoadFailure>
          )
        )
      ) : (
        <>
          <LogTable
            // Rows that were kept still for reading go with their search.
            key={shownSearch}
            logs={rowsOf(data, tail)}
            columns={columns}
            isLive={isLive}
            tail={tail}
            onOpen={open}
          />
          <LogPaging
            page={page}
            shown={rowsOf(data, tail).length}
            total={tail.total?.count ?? data.totalCount}
            isExact={tail.total?.isExact ?? data.totalIsExact}
            hasOlder={data.older !== null}
            isLoading={isPlaceholderData}
            onPage={onPage}
          />
          <TimeZoneNote />
        </>
      )}
      <OpenedRow
        place={readRow(params)}
        rows={data === undefined ? [] : rowsOf(data, tail)}
        onClose={() => setParams((now) => withRow(now, undefined), { preventScrollReset: true })}
      />
    </section>
  );
}

/** What is wrong with the search itself, so that asking again is no help. */
function refusalOf(error: Error | null): string | undefined {
  if (hasCode(error, 'PERMISSION_DENIED'))
    return 'Your role cannot see personal data. Search without receipt numbers and users.';
  return hasCode(error, 'VALIDATION') ? error.serverMessage : undefined;
}

/** The search whose rows are shown: the one before until those of the next are there. */
function useShownSearch(filters: LogFilterTexts, isPlaceholderData: boolean): string {
  const search = JSON.stringify(filters);
  const [shown, setShown] = useState(search);
  if (isPlaceholderData || shown === search) return shown;
  setShown(search);
  return search;
}

/** The row that the address names: from the list where it is there, else from the server. */
function OpenedRow(props: { place: string | undefined; rows: readonly ApiLog[]; onClose: () => void }) {
  const { place, rows, onClose } = props;
  const listed = rows.find((row) => row.place === place);
  const { data, error } = useLog(place !== undefined && listed === undefined ? place : undefined);
  const toast = useToast();
  useEffect(() => {
    if (error === null || isAdminEnded(error)) return;
    // A place that no list names is in no log either.
    const isMissing = hasCode(error, 'NOT_FOUND') || hasCode(error, 'VALIDATION');
    const title = isMissing
      ? 'This lookup is not in the log, or was removed'
      : 'The lookup could not be loaded';
    toast({ title, variant: 'destructive', error });
  }, [error, toast]);
  const log = listed ?? (place === undefined ? undefined : data);
  return log === undefined ? null : <LogDetailsDialog log={log} show onHide={onClose} />;
}

/** After another page has come, reading continues at its first row; likewise when the focused row went with a new search. */
function useFocusOnNewRows(section: RefObject<HTMLElement | null>, page: number, isLoading: boolean): void {
  const shownPage = useRef(page);
  const hadFocus = useRef(false);
  useEffect(() => {
    const note = () => {
      if (document.activeElement !== document.body)
        hadFocus.current = section.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [section]);
  useEffect(() => {
    if (isLoading) return;
    const isNewPage = shownPage.current !== page;
    const isLost = hadFocus.current && document.activeElement === document.body;
    if (!isNewPage && !isLost) return;
    shownPage.current = page;
    section.current?.scrollIntoView({ block: 'start' });
    section.current?.querySelector<HTMLElement>('.row-button')?.focus({ preventScroll: true });
  });
}

function rowsOf(base: LogPage, tail: LiveTail): readonly ApiLog[] {
  if (tail.rows.length === 0) return base.logs;
  // Rows in between are missing: what is older would stand right beneath a gap.
  if (tail.count > tail.rows.length) return tail.rows;
  return newestFirst([...tail.rows, ...base.logs]);
}

function useFailureToast(error: Error | null): void {
  const toast = useToast();
  useEffect(() => {
    if (error !== null && !isAdminEnded(error))
      toast({ title: 'Failed to fetch logs', variant: 'destructive', error });
  }, [error, toast]);
}
