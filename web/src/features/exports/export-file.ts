import type { ExportedCase, ExportedNotification } from '@casewatch/contracts/exports';
import { openDownload } from '../../api/call-api.ts';
import * as endpoints from '../../api/endpoints.ts';
import { createFile } from '../../lib/save-file.ts';
import { readLines, readText } from './read-lines.ts';
import { caseSection, notificationRow, REPORT_END, reportMiddle, reportStart } from './report-html.ts';

export const EXPORT_FORMATS = ['cases', 'history', 'notifications', 'report', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface Progress {
  done: number;
  total: number;
}

interface ExportOptions {
  /** Undefined: all saved cases. */
  receiptNumbers: readonly string[] | undefined;
  timeZone: string;
  now: Date;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

const NAMES: Record<ExportFormat, [name: string, extension: string, type: string]> = {
  cases: ['saved-cases', 'csv', 'text/csv'],
  history: ['case-history', 'csv', 'text/csv'],
  notifications: ['notifications', 'csv', 'text/csv'],
  json: ['case-data', 'json', 'application/json'],
  report: ['case-report', 'html', 'text/html'],
};

/** Loads case data piece by piece into one file; cases and notifications come from services of their own. */
export async function loadExport(
  format: ExportFormat,
  options: ExportOptions,
): Promise<{ name: string; file: Blob }> {
  const [name, extension, type] = NAMES[format];
  const file = createFile(type);
  if (format === 'json') await writeJson(file.write, options);
  else if (format === 'report') await writeReport(file.write, options);
  else await writeCsv(file.write, format, options);
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: options.timeZone }).format(options.now);
  return { name: `casewatch-${name}-${day}.${extension}`, file: file.finish() };
}

type Write = (text: string) => void;

async function writeCsv(
  write: Write,
  format: 'cases' | 'history' | 'notifications',
  { receiptNumbers, timeZone, signal, onProgress }: ExportOptions,
): Promise<void> {
  const body = { ...selectionOf(receiptNumbers), timeZone };
  const response =
    format === 'notifications'
      ? await openDownload(endpoints.exportNotificationsCsv, { body, signal })
      : await openDownload(endpoints.exportCasesCsv, { body: { ...body, content: format }, signal });
  const total = totalOf(response);
  let rows = -1;
  for await (const text of readText(response)) {
    write(text);
    rows += text.split('\r\n').length - 1;
    onProgress({ done: Math.max(0, rows), total });
  }
}

async function writeJson(write: Write, options: ExportOptions): Promise<void> {
  const { now, timeZone } = options;
  const head = JSON.stringify({ exportedAt: now.toISOString(), timeZone });
  write(`${head.slice(0, -1)},"cases":[`);
  const list = () => {
    let isFirst = true;
    return (line: string) => {
      write(isFirst ? `\n${line}` : `,\n${line}`);
      isFirst = false;
    };
  };
  await forEachLine(options, {
    onCase: list(),
    onNotification: list(),
    between: () => write('],"notifications":['),
  });
  write(']}\n');
}

/** A page that opens and prints by itself: one section per case, then the notifications. */
async function writeReport(write: Write, options: ExportOptions): Promise<void> {
  write(reportStart(options.now, options.timeZone));
  await forEachLine(options, {
    onCase: (line) => write(caseSection(JSON.parse(line) as ExportedCase)),
    onNotification: (line) => write(notificationRow(JSON.parse(line) as ExportedNotification)),
    between: () => write(reportMiddle()),
  });
  write(REPORT_END);
}

async function forEachLine(
  { receiptNumbers, signal, onProgress }: ExportOptions,
  handle: { onCase: Write; onNotification: Write; between: () => void },
): Promise<void> {
  const options = { body: selectionOf(receiptNumbers), signal };
  // Both before either is read: a refusal of the second leaves no half of the work.
  const [cases, notifications] = await Promise.all([
    openDownload(endpoints.exportCasesNdjson, options),
    openDownload(endpoints.exportNotificationsNdjson, options),
  ]);
  const total = totalOf(cases) + totalOf(notifications);
  let done = 0;
  const read = async (response: Response, onLine: Write) => {
    for await (const lines of readLines(response)) {
      for (const line of lines) onLine(line);
      done += lines.length;
      onProgress({ done, total });
    }
  };
  await read(cases, handle.onCase);
  handle.between();
  await read(notifications, handle.onNotification);
}

function selectionOf(receiptNumbers: readonly string[] | undefined) {
  return receiptNumbers ? { receiptNumbers: [...receiptNumbers] } : {};
}

function totalOf(response: Response): number {
  return Number(response.headers.get('x-total-count') ?? 0);
}
