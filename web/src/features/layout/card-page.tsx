import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { PageHeading, type PageHeadingProps } from '../../components/page-heading.tsx';
import { LanguageButton } from '../language/language-button.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { Brand } from './brand.tsx';

interface CardPageProps {
  heading: PageHeadingProps;
  /** What the card holds. */
  children: ReactNode;
}

/** Renders a page outside the app's frame: one card below its heading, for visitors without a session. */
export function CardPage({ heading, children }: CardPageProps) {
  return (
    <div className="auth-page">
      <header className="auth-header">
        <Link to="/" className="brand-link">
          <Brand />
        </Link>
        <div className="auth-header-tools">
          <LanguageButton />
          <ThemeToggle />
        </div>
      </header>
      <main className="auth-main">
        <PageHeading {...heading} />
        <div className="card auth-card">{children}</div>
      </main>
      <DisclaimerFooter />
    </div>
  );
}
