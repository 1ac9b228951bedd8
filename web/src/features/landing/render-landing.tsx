import { renderToString } from 'react-dom/server';
import { LandingPage } from './landing-page.tsx';

/** The landing page as HTML, for the build to put into its file; `landing-entry.tsx` brings it to life. */
export function renderLanding(): string {
  return renderToString(<LandingPage />);
}
