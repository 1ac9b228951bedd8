import type { Language } from '@casewatch/contracts/languages';
import { t } from '@lingui/core/macro';
import { PRO_TRIAL_DAYS, PRODUCT_NAME } from '../../config/product.ts';
import { htmlOf, renderIn } from '../../i18n/render-page.tsx';
import { themeToggleName } from '../theme/theme-toggle.tsx';
import { LandingPage } from './landing-page.tsx';
import type { RenderedLanding } from './live-texts.ts';
import { trialTexts } from './pricing.tsx';

/** Renders the landing page for the build to put into its file; `bring-to-life.ts` adds what HTML can't do. */
export function renderLanding(language: Language): RenderedLanding {
  renderIn(language);
  return {
    title: `${t`Immigration Case Status`} | ${PRODUCT_NAME}`,
    description: t`Look up US immigration cases by receipt number, save them, and get notified when a status changes. Unofficial.`,
    html: htmlOf(<LandingPage />),
    liveTexts: {
      themeToggle: { light: themeToggleName('light'), dark: themeToggleName('dark') },
      trial: { none: trialTexts(0), one: trialTexts(1), many: trialTexts(PRO_TRIAL_DAYS) },
    },
  };
}
