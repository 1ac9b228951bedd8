import type { Invoice } from '@casewatch/contracts/billing';
import { useInvoices } from '../../api/billing.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { dollars } from '../../lib/dollars.ts';
import { formatDay } from '../../lib/format-moment.ts';

const STATES: Record<Invoice['status'], string> = {
  open: 'To be paid',
  paid: 'Paid',
  void: 'Canceled',
  uncollectible: 'Not paid',
};

/** The invoices so far, each with its page at the payment provider; nothing before the first. */
export function Invoices() {
  const { data: invoices, error, refetch } = useInvoices();
  if (error) {
    return (
      <LoadFailure className="profile-row" error={error} onRetry={() => void refetch()} isPart>
        <p>Your invoices could not be loaded.</p>
      </LoadFailure>
    );
  }
  if (!invoices || invoices.length === 0) return null;
  return (
    <details className="profile-row plan-invoices">
      <summary>Invoices</summary>
      <ul>
        {invoices.map(({ id, number, createdAt, amount, status, url }) => (
          <li key={id}>
            <time dateTime={createdAt}>{formatDay(createdAt)}</time>
            <span>{dollars(amount)}</span>
            <span>{STATES[status]}</span>
            {url !== null && (
              <a href={url} target="_blank" rel="noreferrer">
                {number ?? 'Invoice'}
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
