import type { Invoice } from '@casewatch/contracts/billing';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useInvoices } from '../../api/billing.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { dollars } from '../../lib/format-number.ts';

const STATES: Record<Invoice['status'], MessageDescriptor> = {
  open: msg`Due`,
  paid: msg({ message: 'Paid', context: 'invoice' }),
  void: msg({ message: 'Canceled', context: 'invoice' }),
  uncollectible: msg`Unpaid`,
};

/** Renders the invoices so far, each with its page at the payment provider; nothing before the first. */
export function Invoices() {
  const { data: invoices, error, refetch } = useInvoices();
  if (error) {
    return (
      <LoadFailure className="profile-row" error={error} onRetry={() => void refetch()} isPart>
        <p>
          <Trans>Your invoices could not be loaded.</Trans>
        </p>
      </LoadFailure>
    );
  }
  if (!invoices || invoices.length === 0) return null;
  return (
    <details className="profile-row plan-invoices">
      <summary>
        <Trans>Invoices</Trans>
      </summary>
      <ul>
        {invoices.map(({ id, number, createdAt, amount, status, url }) => (
          <li key={id}>
            <time dateTime={createdAt}>{formatDay(createdAt)}</time>
            <span>{dollars(amount)}</span>
            <span>{i18n._(STATES[status])}</span>
            {url !== null && (
              <a href={url} target="_blank" rel="noreferrer">
                {number ?? t`Invoice`}
                <span className="visually-hidden">
                  {' '}
                  <Trans>(opens in a new tab)</Trans>
                </span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
