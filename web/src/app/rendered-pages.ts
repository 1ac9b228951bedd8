import { renderGuide } from '../features/guide/guide-page.tsx';
import { renderBrowsersPage } from '../features/help/browsers-page.tsx';
import { renderPolicyPage } from '../features/help/policy-page.tsx';
import { renderLanding } from '../features/landing/render-landing.tsx';

/** The pages that the build renders once per language, by the names of their files. */
export const pages = {
  landing: renderLanding,
  browsers: renderBrowsersPage,
  guide: renderGuide,
  policy: renderPolicyPage,
};
