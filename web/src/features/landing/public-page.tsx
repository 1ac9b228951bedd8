import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { Brand } from '../layout/brand.tsx';

interface PublicPageProps {
  className: string;
  /** What stands at the end of the header. */
  tools: ReactNode;
  children: ReactNode;
}

/** Renders a page that anyone can read, outside of the app: its header leads to the landing page, its footer has the disclaimer. */
export function PublicPage({ className, tools, children }: PublicPageProps) {
  return (
    <div className="landing">
      <a className="skip-link" href="#main">
        <Trans>Skip to main content</Trans>
      </a>
      <header className="landing-header landing-width">
        <a href="/" className="brand-link">
          <Brand />
        </a>
        <div className="landing-header-tools">{tools}</div>
      </header>
      <main id="main" className={`landing-width ${className}`} tabIndex={-1}>
        {children}
      </main>
      <div className="landing-width">
        <DisclaimerFooter />
      </div>
    </div>
  );
}
