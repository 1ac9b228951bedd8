import './example-case.scss';
import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

/** Renders made-up cases and a notification as the app shows them, to look at only. */
export function ExampleCase() {
  const [shown, approved, received] = cases();
  return (
    <figure className="example-case">
      <div className="example-scene">
        <div className="example-card">
          <div className="example-head">
            <strong>{shown.name}</strong>
            <span className="receipt-number">{shown.number}</span>
          </div>
          <StatusBadge {...shown} />
          <dl className="example-days">
            <Days name={t`Time in this status`} days={12} />
            <Days name={t`Time since received`} days={160} />
          </dl>
          <ol className="example-steps">
            {steps().map(({ status, date }) => (
              <li key={date}>
                <span>{status}</span>
                <span className="example-date">{day(date)}</span>
              </li>
            ))}
          </ol>
        </div>
        <div className="example-card example-notice only-with-pro">
          <span className="feature-icon">
            <Icon name="bell" size={22} />
          </span>
          <div>
            <strong>
              <Trans>Status changed</Trans>
            </strong>
            <p>
              {received.statusEs} → {approved.statusEs}
            </p>
            <span className="example-date">
              {approved.name}, {day('2025-08-24')}
            </span>
          </div>
        </div>
        <ul className="example-card example-list">
          {[approved, received].map((one) => (
            <li key={one.number}>
              <strong>{one.name}</strong>
              <span className="receipt-number">{one.number}</span>
              <StatusBadge {...one} />
            </li>
          ))}
        </ul>
      </div>
      <figcaption>
        <Trans>An example with made-up cases.</Trans>
      </figcaption>
    </figure>
  );
}

function Days({ name, days }: { name: string; days: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{plural(days, { one: '# day', other: '# days' })}</dd>
    </div>
  );
}

const day = (date: string) => i18n.date(new Date(date), { dateStyle: 'medium', timeZone: 'UTC' });

/** `statusEs` is the status in the language of the page. */
function cases() {
  return [
    {
      name: t`Mom’s green card`,
      number: 'IOE0123456789',
      status: 'Interview Was Completed',
      statusEs: t`Interview Was Completed`,
    },
    {
      name: t`My work permit`,
      number: 'EAC0123456789',
      status: 'Case Was Approved',
      statusEs: t`Case Was Approved`,
    },
    {
      name: t`My brother’s petition`,
      number: 'WAC0123456789',
      status: 'Case Was Received',
      statusEs: t`Case Was Received`,
    },
  ] as const;
}

function steps(): { status: string; date: string }[] {
  return [
    { status: t`Interview Was Completed`, date: '2025-08-12' },
    { status: t`Fingerprints Were Taken`, date: '2025-04-28' },
    { status: t`Case Was Received`, date: '2025-03-17' },
  ];
}
