import './admin-logs.scss';
import type { ApiLog } from '@casewatch/contracts/admin-log';
import { ADMIN_LOG_PAGE_SIZE } from '@casewatch/contracts/limits';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isAdminEnded } from '../../api/admin-client.ts';
import { type LogFilterTexts, type LogPage, useLogs } from '../../api/admin-logs.ts';
import { Spinner } from '../../components/spinner.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { CallOverviewCards } from './call-overview-cards.tsx';
import { LogDetailsDialog } from './log-details-dialog.tsx';
import { readFilters, readPage, withFilters, withPage } from './log-filters.ts';
import { LogFiltersForm } from './log-filters-form.tsx';
import { LogPaging } from './log-paging.tsx';
import { LogTable } from './log-table.tsx';
import { LogTools } from './log-tools.tsx';
import { type LiveTail, useLiveTail } from './use-live-tail.ts';

/** The calls to the agency: an overview, and the log itself with filters, pages and a live tail. */
export function LogsTab() {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const page = readPage(params);
  const [wantsLive, setWantsLive] = useState(false);
  const isLive = wantsLive && page === 1;

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
      <LogFiltersForm filters={filters} onApply={choose} />
      <LogList filters={filters} page={page} isLive={isLive} onLive={setLive} onPage={turnTo} />
    </>
  );
}

interface LogListProps {
  filters: LogFilterTexts;
  page: number;
  isLive: boolean;
  onLive: (on: boolean) => void;
  onPage: (page: number) => void;
}

function LogList({ filters, page, isLive, onLive, onPage }: LogListProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useLogs(filters, page);
  const tail = useLiveTail(isLive, filters, isPlaceholderData ? undefined : data);
  const [{ opened, isOpen }, setDetails] = useState<{ opened?: ApiLog; isOpen: boolean }>({ isOpen: false });
  useFailureToast(error);

  const lastPage = data?.totalIsExact ? Math.max(1, Math.ceil(data.totalCount / ADMIN_LOG_PAGE_SIZE)) : page;
  const isBeyond = !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isBeyond) onPage(lastPage);
  }, [isBeyond, lastPage, onPage]);

  return (
    <section aria-label="Calls to the agency">
      <LogTools
        filters={filters}
        isLive={isLive}
        isRefreshing={isFetching}
        onLive={onLive}
        onRefresh={() => void refetch()}
      />
      {data === undefined ? (
        isFetching ? (
          <Spinner />
        ) : (
          <LoadFailure onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <LogTable
            logs={rowsOf(data, tail)}
            isLive={isLive}
            tail={tail}
            onOpen={(log) => setDetails({ opened: log, isOpen: true })}
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
        </>
      )}
      {opened !== undefined && (
        <LogDetailsDialog log={opened} show={isOpen} onHide={() => setDetails({ opened, isOpen: false })} />
      )}
    </section>
  );
}

function rowsOf(base: LogPage, tail: LiveTail): readonly ApiLog[] {
  if (tail.rows.length === 0) return base.logs;
  // Rows in between are gone: what is older would stand right beneath a gap.
  if (tail.count > tail.rows.length) return tail.rows;
  return [...tail.rows, ...base.logs];
}

function useFailureToast(error: Error | null): void {
  const toast = useToast();
  useEffect(() => {
    if (error !== null && !isAdminEnded(error))
      toast({ title: 'Failed to fetch logs', variant: 'destructive', error });
  }, [error, toast]);
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="card admin-message" role="alert">
      <p>The log could not be loaded.</p>
      <button type="button" className="btn btn-primary" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
