import './example-case.scss';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { StatusBadge } from '../../components/status-badge.tsx';

/** Renders a made-up case as the app shows one, to look at only. */
export function ExampleCase() {
  return (
    <figure className="example-case">
      <div className="example-card">
        <div className="example-head">
          <span className="example-label">
            <Trans>Receipt number</Trans>
          </span>
          <span className="receipt-number">IOE0123456789</span>
        </div>
        <StatusBadge status="Case Was Approved" statusEs={t`Case Was Approved`} />
        <ol className="example-steps">
          {steps().map(({ status, date }) => (
            <li key={date}>
              <span>{status}</span>
              <span className="example-date">
                {i18n.date(new Date(date), { dateStyle: 'medium', timeZone: 'UTC' })}
              </span>
            </li>
          ))}
        </ol>
      </div>
      <figcaption>
        <Trans>An example of what a tracked case looks like.</Trans>
      </figcaption>
    </figure>
  );
}

function steps(): { status: string; date: string }[] {
  return [
    { status: t`Case Was Approved`, date: '2025-09-03' },
    { status: t`Interview Was Completed`, date: '2025-08-12' },
    { status: t`Fingerprints Were Taken`, date: '2025-04-28' },
    { status: t`Case Was Received`, date: '2025-03-17' },
  ];
}
