import type { ExportedCase, ExportedNotification } from '@casewatch/contracts/exports';
import { t } from '@lingui/core/macro';
import { frequencyWord } from '../../api/offline-changes.ts';
import { shownStatus } from '../../components/status-badge.tsx';
import { OFFICIAL_CASE_STATUS_URL, PRODUCT_NAME } from '../../config/product.ts';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { formatDay, formatLastChecked, formatMoment } from '../../lib/format-moment.ts';
import { languageShown } from '../../lib/format-number.ts';

const STYLE = `
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; font: 0.95rem/1.5 system-ui, sans-serif; }
  h1 { margin-bottom: 0; } h2 { margin: 0 0 0.5rem; font-size: 1.1rem; }
  section { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid #999; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0 0 0.75rem; }
  dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
  table { width: 100%; border-collapse: collapse; } caption { text-align: left; font-weight: 600; }
  th, td { padding: 0.2rem 0.5rem 0.2rem 0; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
  thead { display: table-header-group; } tr, dl, h2 { break-inside: avoid; } h2, caption { break-after: avoid; }
  @media print { body { margin: 0; max-width: none; font-size: 9.5pt; } }`;

/** Returns the report up to its first case, in the language of the page. It is a file of its own: nothing in it is loaded from another origin. */
export function reportStart(now: Date, timeZone: string): string {
  const at = formatMoment(now.toISOString());
  const official = t`This is not an official document; see ${OFFICIAL_CASE_STATUS_URL} for the agency’s own information.`;
  const link = `<a href="${OFFICIAL_CASE_STATUS_URL}">${OFFICIAL_CASE_STATUS_URL}</a>`;
  return `<!doctype html>
<html lang="${languageShown()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toHtml(t`Case report, ${at}`)}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${toHtml(t`Case report`)}</h1>
<p>${toHtml(t`Made with ${PRODUCT_NAME} on ${at}. Times are in the time zone ${timeZone}.`)}
${toHtml(official).replace(OFFICIAL_CASE_STATUS_URL, link)}</p>
`;
}

export function caseSection(one: ExportedCase): string {
  const facts = [
    [t`Tags`, one.tags.join(', ')],
    [t`Form`, one.formType],
    [t`Status`, one.lastKnownStatus ? shownStatus({ status: one.lastKnownStatus }) : t`Not checked yet`],
    [t`Status since`, statusSince(one)],
    [t`Last checked`, formatLastChecked(one.lastCheckedAt)],
    [t`Monitoring`, frequencyWord(one.monitoringFrequency)],
    [t({ message: 'Saved', context: 'date' }), formatMoment(one.createdAt)],
    [t({ message: 'Archived', context: 'date' }), one.archivedAt && formatMoment(one.archivedAt)],
  ] as const;
  const title = [one.receiptNumber, one.nickname].filter(Boolean).join(' · ');
  const list = facts
    .map(([name, value]) => (value ? `<dt>${toHtml(name)}</dt><dd>${cellHtml(value)}</dd>` : ''))
    .join('');
  const rows = one.history.map((entry) => [
    shownStatus({ status: entry.caseStatus }),
    dateOf(entry),
    entry.firstObservedAt ? formatMoment(entry.firstObservedAt) : '',
  ]);
  const history =
    rows.length > 0
      ? `${tableStart(t`History`, [t`Status`, t`Date`, t`First seen`])}${rows.map(row).join('')}${TABLE_END}`
      : '';
  return `<section><h2>${toHtml(title)}</h2><dl>${list}</dl>${history}</section>\n`;
}

/** Also says that the agency no longer lists the entry. */
function dateOf({ statusHistDate, withdrawnAt }: ExportedCase['history'][number]): string {
  const date = formatAgencyDate(statusHistDate);
  if (withdrawnAt === undefined) return date;
  const day = formatDay(withdrawnAt);
  return t`${date} (not in the agency’s history since ${day})`;
}

/** The day that the agency wrote, else the moment at which the status was first seen. */
function statusSince({ statusDate, statusChangedAt }: ExportedCase): string | null {
  if (statusDate !== undefined) return formatDay(statusDate);
  return statusChangedAt && formatMoment(statusChangedAt);
}

/** Returns what comes from the cases to the notifications. */
export function reportMiddle(): string {
  const heads = [
    t`Time`,
    t`Receipt number`,
    t({ message: 'From', context: 'status' }),
    t({ message: 'To', context: 'status' }),
  ];
  return `<section><h2>${toHtml(t`Notifications`)}</h2>${tableStart('', heads)}`;
}

export function notificationRow(one: ExportedNotification): string {
  return row([
    formatMoment(one.createdAt),
    one.receiptNumber,
    one.oldStatus === null ? '' : shownStatus({ status: one.oldStatus }),
    shownStatus({ status: one.newStatus }),
  ]);
}

const TABLE_END = '</tbody></table>';
export const REPORT_END = `${TABLE_END}</section></body></html>\n`;

function tableStart(caption: string, heads: readonly string[]): string {
  const cells = heads.map((head) => `<th scope="col">${toHtml(head)}</th>`).join('');
  return `<table>${caption && `<caption>${toHtml(caption)}</caption>`}<thead><tr>${cells}</tr></thead><tbody>`;
}

/** A text, with its language where that is not the report's. */
type Cell = string | ReturnType<typeof shownStatus>;

function row(cells: readonly Cell[]): string {
  return `<tr>${cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join('')}</tr>\n`;
}

function cellHtml(cell: Cell): string {
  if (typeof cell === 'string') return toHtml(cell);
  return cell.lang ? `<span lang="${cell.lang}">${toHtml(cell.text)}</span>` : toHtml(cell.text);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Nicknames, tags and statuses come from outside; the report is opened with the rights of a local file. */
function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
