import type { ApiLog } from '@casewatch/contracts/admin-log';
import { ADMIN_LOG_PAGE_SIZE } from '@casewatch/contracts/limits';
import type { LogView } from '@casewatch/contracts/log-views';
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi, withQuery } from './call-api.ts';
import * as endpoints from './endpoints.ts';

/** Which lookups to show, as the address and the server write it; what is not given fits every lookup. */
export interface LogFilterTexts {
  /** A search, as `parseLogSearch` reads it. */
  q?: string;
  receiptNumber?: string;
  user?: string;
  source?: ApiLog['source'];
  success?: 'true' | 'false';
  statusCode?: string;
  /** ISO 8601. */
  from?: string;
  /** ISO 8601; not included. */
  to?: string;
}

/** Returns one page of the lookups that fit, newest first. `page` counts from 1. The page before stays until the next is there. */
export function useLogs(filters: LogFilterTexts, page: number) {
  return useQuery({
    queryKey: ['logs', filters, page],
    queryFn: ({ signal }) =>
      callApi(endpoints.listLogs, {
        query: { ...filters, limit: ADMIN_LOG_PAGE_SIZE, offset: (page - 1) * ADMIN_LOG_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Returns one row by the place that its list names; undefined asks for nothing. */
export function useLog(place: string | undefined) {
  return useQuery({
    queryKey: ['log', place],
    queryFn: ({ signal }) => callApi(endpoints.getLog, { params: { place: place ?? '' }, signal }),
    enabled: place !== undefined,
  });
}

export type LogPage = NonNullable<ReturnType<typeof useLogs>['data']>;

/** A page of `readNewerLogs`. */
export const NEWER_LOGS_MAX = 200;

/** Returns the next page of the lookups after a cursor, newest first; the newest ones when there is no cursor yet. */
export function readNewerLogs(client: QueryClient, filters: LogFilterTexts, newer: string | null) {
  const query = { ...filters, limit: NEWER_LOGS_MAX, ...(newer === null ? {} : { newer }) };
  return client.fetchQuery({
    queryKey: ['newer-logs', query],
    queryFn: ({ signal }) => callApi(endpoints.listLogs, { query, signal }),
    gcTime: 0,
  });
}

const CALL_OVERVIEW = ['call-overview'];

/** Returns the calls of the last 24 hours, counted; read again by itself while `everyMs` is given. */
export function useCallOverview(everyMs: number | false) {
  return useQuery({
    queryKey: CALL_OVERVIEW,
    queryFn: ({ signal }) => callApi(endpoints.getCallOverview, { signal }),
    refetchInterval: everyMs,
  });
}

export function readCallOverviewAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: CALL_OVERVIEW });
}

const QUEUE_EVERY_MS = 3_000;

/** Returns who calls the agency and what waits, read again every few seconds while the page can be seen. */
export function useAgencyQueue() {
  return useQuery({
    queryKey: ['agency-queue'],
    queryFn: ({ signal }) => callApi(endpoints.getAgencyQueue, { signal }),
    refetchInterval: QUEUE_EVERY_MS,
  });
}

/** Returns the address of a download of every call that fits. */
export function logExportHref(format: 'csv' | 'ndjson', filters: LogFilterTexts): string {
  const { path } = format === 'csv' ? endpoints.exportLogsCsv : endpoints.exportLogsNdjson;
  return withQuery(path, filters);
}

/** Which entries of the audit trail to show. */
export interface AuditFilterTexts {
  /** How the action begins. */
  action?: string;
  /** How what it was done to begins. */
  subject?: string;
  /** How the administrator's name begins. */
  actor?: string;
  success?: 'true' | 'false';
  from?: string;
  to?: string;
}

/** Returns the audit trail, newest first, read on towards the past. */
export function useAudit(filters: AuditFilterTexts) {
  return useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) =>
      callApi(endpoints.listAudit, {
        query: {
          ...filters,
          limit: ADMIN_LOG_PAGE_SIZE,
          ...(pageParam === null ? {} : { older: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ older }) => older,
  });
}

/** Returns the address of a download of every entry of the audit trail that fits. */
export function auditExportHref(filters: AuditFilterTexts): string {
  return withQuery(endpoints.exportAuditCsv.path, filters);
}

const VIEWS = ['log-views'];

/** Returns the signed-in administrator's own views of the log. */
export function useLogViews() {
  return useQuery({
    queryKey: VIEWS,
    queryFn: ({ signal }) => callApi(endpoints.listLogViews, { signal }),
  });
}

/** Returns the list in which each replaces the one of its name; the others stay. */
export function useSaveLogViews() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (views: readonly Omit<LogView, 'id'>[]) =>
      callApi(endpoints.saveLogViews, { body: { views: [...views] } }),
    onSuccess: (views) => client.setQueryData(VIEWS, views),
  });
}

export function useRemoveLogView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.removeLogView, { params: { id } }),
    // Also after a refusal: another window may have changed the list.
    onSettled: () => client.invalidateQueries({ queryKey: VIEWS }),
  });
}
