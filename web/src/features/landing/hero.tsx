import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { AuthLink } from './landing-links.tsx';
import './example-case.scss';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { StatusBadge } from '../../components/status-badge.tsx';

/** Renders the first screenful: what the product does, and a picture of it. */
export function Hero() {
  return (
    <section className="hero landing-width" aria-labelledby="hero-title">
      <div className="hero-words">
        <p className="hero-badge only-with-pro">
          <Trans>Automated Case Monitoring • Always Up to Date</Trans>
        </p>
        <h1 id="hero-title" tabIndex={-1}>
          <Trans>Track Your Immigration Case with Confidence</Trans>
        </h1>
        <p className="hero-lead">
          <span className="only-with-pro">
            <Trans>
              Look up any case by its receipt number, save the ones that matter to you, and get notified when
              a status changes, without checking every day.
            </Trans>
          </span>
          <span className="only-without-pro">
            <Trans>Look up any case by its receipt number, and save the ones that matter to you.</Trans>
          </span>
        </p>
        <div className="hero-actions">
          <AuthLink className="btn btn-primary btn-lg" isNew>
            <Trans>Get Started Free</Trans>
            <Icon name="arrow-right" />
          </AuthLink>
          <a className="btn btn-outline-secondary btn-lg" href="#pricing">
            <Trans>View Pricing</Trans>
          </a>
        </div>
      </div>
      <ExampleCase />
    </section>
  );
}

/** Renders a made-up case as the app shows one, to look at only. */
function ExampleCase() {
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
        <Trans>An example of a saved case.</Trans>
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
