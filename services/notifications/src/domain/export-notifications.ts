import type { ExportedNotification } from '@casewatch/contracts/exports';
import type { Tier } from '@casewatch/contracts/limits';
import type { StatusNotification } from '@casewatch/contracts/notifications';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { CSV_START, csvRow } from '@casewatch/service-kit/http/csv';
import { timesInZone } from '@casewatch/service-kit/http/times-in-zone';
import type { NotificationSelection, Store } from './store.ts';

type ExportStore = Pick<Store, 'listForExport'>;

/** Notifications in memory at a time. */
const PAGE = 1_000;

/** @throws AppError PRO_REQUIRED for a free user */
export function requireExport({ tier }: { tier: Tier }): void {
  if (tier === 'pro') return;
  throw new AppError('PRO_REQUIRED', 'pro-export');
}

/** Returns the notifications as CSV, newest first. */
export async function* exportCsv(
  store: ExportStore,
  selection: NotificationSelection,
  timeZone: string,
): AsyncGenerator<string> {
  const { name, write } = timesInZone(timeZone);
  yield CSV_START + csvRow(['Receipt Number', 'Old Status', 'New Status', `Time (${name})`, 'Read']);
  for await (const page of pages(store, selection)) {
    yield page
      .map(({ receiptNumber, oldStatus, newStatus, createdAt, read }) =>
        csvRow([receiptNumber, oldStatus, newStatus, write(createdAt), read ? 'yes' : 'no']),
      )
      .join('');
  }
}

/** Returns the notifications, newest first, one JSON object a line. */
export async function* exportNdjson(
  store: ExportStore,
  selection: NotificationSelection,
): AsyncGenerator<string> {
  for await (const page of pages(store, selection)) {
    yield page.map((one) => `${JSON.stringify(toExported(one))}\n`).join('');
  }
}

/** Each page is read when the one before has been taken: a slow reader costs neither memory nor a connection. */
async function* pages(
  store: ExportStore,
  selection: NotificationSelection,
): AsyncGenerator<StatusNotification[]> {
  let before: string | undefined;
  for (;;) {
    const page = await store.listForExport(selection, { before, limit: PAGE });
    if (page.length > 0) yield page;
    before = page.at(-1)?.order;
    if (before === undefined || page.length < PAGE) return;
  }
}

function toExported({ userId: _userId, order: _order, ...one }: StatusNotification): ExportedNotification {
  return one;
}
