import type { ExportedCase, ExportedNotification } from '@casewatch/contracts/exports';
import { OFFICIAL_CASE_STATUS_URL, PRODUCT_NAME } from '../../config/product.ts';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { formatLastChecked, formatMoment } from '../../lib/format-moment.ts';

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

/** The report up to its first case. It is a file of its own: nothing in it is loaded from elsewhere. */
export function reportStart(now: Date, timeZone: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Case report, ${toHtml(formatMoment(now.toISOString()))}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>Case report</h1>
<p>Made with ${PRODUCT_NAME} on ${toHtml(formatMoment(now.toISOString()))}. Times are in the time zone ${toHtml(timeZone)}.
This is not an official document; see <a href="${OFFICIAL_CASE_STATUS_URL}">${OFFICIAL_CASE_STATUS_URL}</a> for the agency's own information.</p>
`;
}

export function caseSection(one: ExportedCase): string {
  const facts = [
    ['Tags', one.tags.join(', ')],
    ['Form', one.formType],
    ['Status', one.lastKnownStatus ?? 'Not checked yet'],
    ['Status since', one.statusChangedAt && formatMoment(one.statusChangedAt)],
    ['Last checked', formatLastChecked(one.lastCheckedAt)],
    ['Monitoring', one.monitoringFrequency],
    ['Saved', formatMoment(one.createdAt)],
    ['Archived', one.archivedAt && formatMoment(one.archivedAt)],
  ] as const;
  const title = [one.receiptNumber, one.nickname].filter(Boolean).join(' · ');
  const list = facts
    .map(([name, value]) => (value ? `<dt>${name}</dt><dd>${toHtml(value)}</dd>` : ''))
    .join('');
  const rows = one.history.map((entry) => [
    entry.caseStatus,
    formatAgencyDate(entry.statusHistDate),
    entry.firstObservedAt ? formatMoment(entry.firstObservedAt) : '',
  ]);
  const history =
    rows.length > 0
      ? `${tableStart('History', ['Status', 'Date', 'First seen'])}${rows.map(row).join('')}${TABLE_END}`
      : '';
  return `<section><h2>${toHtml(title)}</h2><dl>${list}</dl>${history}</section>\n`;
}

/** From the cases to the notifications. */
export function reportMiddle(): string {
  return `<section><h2>Notifications</h2>${tableStart('', ['Time', 'Receipt number', 'From', 'To'])}`;
}

export function notificationRow(one: ExportedNotification): string {
  return row([formatMoment(one.createdAt), one.receiptNumber, one.oldStatus ?? '', one.newStatus]);
}

const TABLE_END = '</tbody></table>';
export const REPORT_END = `${TABLE_END}</section></body></html>\n`;

function tableStart(caption: string, heads: readonly string[]): string {
  const cells = heads.map((head) => `<th scope="col">${head}</th>`).join('');
  return `<table>${caption && `<caption>${caption}</caption>`}<thead><tr>${cells}</tr></thead><tbody>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${toHtml(cell)}</td>`).join('')}</tr>\n`;
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
