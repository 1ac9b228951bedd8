import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { ExampleCase } from './example-case.tsx';
import { AuthLink } from './landing-links.tsx';

/** Renders the first screenful: what the product does, and a picture of it. */
export function Hero() {
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="hero-layout landing-width">
        <div>
          <p className="hero-badge only-with-pro">
            <Trans>Automated Case Monitoring • Always Up to Date</Trans>
          </p>
          <h1 id="hero-title" tabIndex={-1}>
            <Trans>Track Your Immigration Case with Confidence</Trans>
          </h1>
          <p className="hero-lead">
            <span className="only-with-pro">
              <Trans>
                Look up any case by its receipt number, save the ones that matter to you, and get notified
                when a status changes, without checking every day.
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
      </div>
    </section>
  );
}
