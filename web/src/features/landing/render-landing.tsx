import type { Language } from '@casewatch/contracts/languages';
import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { PRO_TRIAL_DAYS, PRODUCT_NAME } from '../../config/product.ts';
import { messages as english } from '../../i18n/catalog-en.ts';
import { messages as spanish } from '../../i18n/catalog-es.ts';
import { themeToggleName } from '../theme/theme-toggle.tsx';
import { LandingPage } from './landing-page.tsx';
import type { RenderedLanding } from './live-texts.ts';
import { trialTexts } from './pricing.tsx';

/** Renders the landing page for the build to put into its file; `bring-to-life.ts` adds what HTML can't do. */
export function renderLanding(language: Language): RenderedLanding {
  i18n.loadAndActivate({ locale: language, messages: language === 'es' ? spanish : english });
  return {
    title: `${t`Immigration Case Status`} | ${PRODUCT_NAME}`,
    description: t`Look up US immigration cases by receipt number, save them, and hear about status changes. Unofficial.`,
    html: renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <LandingPage />
      </I18nProvider>,
    ),
    liveTexts: {
      themeToggle: { light: themeToggleName('light'), dark: themeToggleName('dark') },
      trial: { none: trialTexts(0), one: trialTexts(1), many: trialTexts(PRO_TRIAL_DAYS) },
    },
  };
}
