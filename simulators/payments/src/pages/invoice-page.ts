import type { InvoiceDoc } from '../documents.ts';
import { type Answer, escapeHtml, pageAnswer } from '../http/answer.ts';

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Shows the customer what an invoice is about and whether it is paid. */
export function invoicePage({ number, created, amount_due, status }: InvoiceDoc): Answer {
  const title = `Test invoice ${escapeHtml(number)}`;
  const body = `<h1>${title}</h1>
<p>Casewatch Pro, $${(amount_due / 100).toFixed(2)}, ${DATE.format(created * 1_000)}. Status: ${status}.</p>
<p>No real money moves.</p>`;
  return pageAnswer({ title, body });
}
