import type { ApiLog } from '@casewatch/contracts/admin-log';
import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import type { CallFilter } from './call-filter.ts';
import type { CallLog, PageStart } from './call-log.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** Calls in memory at a time. */
const BATCH = 200;

/**
 * Returns the calls that fit as pieces of text, newest first. Each batch is read when the one before has been taken, so a
 * slow reader costs neither memory nor a connection; calls that are added while it reads are not part of it.
 */
export async function* exportCalls(
  log: CallLog,
  filter: CallFilter,
  format: ExportFormat,
  payloadsSinceMs: number,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${CSV_START}${csvRow(COLUMNS)}`;
  const write = format === 'csv' ? toCsv : toNdjson;
  let start: PageStart = {};
  for (;;) {
    const calls = await log.older(filter, start, BATCH, payloadsSinceMs);
    if (calls.length > 0) yield calls.map(write).join('');
    const last = calls.at(-1);
    if (!last || calls.length < BATCH) return;
    start = { olderThan: { atMs: Date.parse(last.createdAt), id: last.id } };
  }
}

const COLUMNS = [
  'id',
  'createdAt',
  'endpoint',
  'receiptNumbers',
  'userId',
  'userFirstName',
  'source',
  'statusCode',
  'success',
  'durationMs',
  'requestPayload',
  'responsePayload',
  'outcome',
  'cause',
  'code',
  'reason',
  'queueMs',
  'agencyMs',
  'agencyCalls',
  'requestId',
  'traceId',
  'tier',
  'origin',
  'servedStale',
] as const satisfies readonly (keyof ApiLog)[];

function toCsv(call: ApiLog): string {
  return csvRow(
    COLUMNS.map((column) => {
      if (column === 'receiptNumbers') return call.receiptNumbers.join(' ');
      if (column === 'requestPayload')
        return call.requestPayload === null ? null : JSON.stringify(call.requestPayload);
      return call[column];
    }),
  );
}

function toNdjson(call: ApiLog): string {
  return `${JSON.stringify(call)}\n`;
}
