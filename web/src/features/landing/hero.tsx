import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { ExampleCase } from './example-case.tsx';
import { AuthLink } from './landing-links.tsx';

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
              Look up any case by its receipt number, keep the ones that matter to you, and hear about a
              change of status without checking every day.
            </Trans>
          </span>
          <span className="only-without-pro">
            <Trans>Look up any case by its receipt number, and keep the ones that matter to you.</Trans>
          </span>
        </p>
        <div className="hero-actions">
          <AuthLink className="btn btn-primary btn-lg">
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
