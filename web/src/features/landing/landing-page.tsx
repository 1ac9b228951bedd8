import './landing-page.scss';
import { Trans } from '@lingui/react/macro';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { usePageClass } from '../../lib/use-page-class.ts';
import { Brand } from '../layout/brand.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { AuthLink, LanguageLink, NavigateContext } from './landing-links.tsx';
import { Pricing } from './pricing.tsx';

interface LandingPageProps {
  /** Goes to a path inside the running app. Without it the page stands alone and its links load the app. */
  onNavigate?: (path: string) => void;
}

/** Renders what a signed-out visitor sees. Made at build time as a page of its own; also shown inside the app. */
export function LandingPage({ onNavigate }: LandingPageProps) {
  usePageClass('with-landing');
  return (
    <NavigateContext value={onNavigate ?? null}>
      <div className="landing">
        <a className="skip-link" href="#main">
          <Trans>Skip to main content</Trans>
        </a>
        <header className="landing-header landing-width">
          <Brand />
          <div className="landing-header-tools">
            <LanguageLink />
            <ThemeToggle />
            <AuthLink className="btn btn-outline-secondary">
              <Trans>Sign In</Trans>
            </AuthLink>
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          <Hero />
          <Features />
          <Pricing />
          <section className="landing-closing" aria-labelledby="closing-title">
            <div className="landing-width">
              <div>
                <h2 id="closing-title">
                  <Trans>Stop refreshing. Start knowing.</Trans>
                </h2>
                <p>
                  <Trans>Save your receipt number once and see the steps USCIS reports in one place.</Trans>
                </p>
              </div>
              <AuthLink className="btn btn-lg btn-inverse" isNew>
                <Trans>Create Your Free Account</Trans>
              </AuthLink>
            </div>
          </section>
        </main>
        <div className="landing-width">
          <DisclaimerFooter />
        </div>
      </div>
    </NavigateContext>
  );
}
