import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { usePageTitle } from '../components/page-heading.tsx';
import { LandingPage } from '../features/landing/landing-page.tsx';

/** Renders the landing page inside the app, after a sign-out or without a session. */
export function LandingScreen() {
  const navigate = useNavigate();
  usePageTitle(t`Immigration Case Status`);
  useEffect(() => {
    // The button that signed out is removed.
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, []);
  return <LandingPage onNavigate={navigate} />;
}
