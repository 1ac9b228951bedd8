import type { Language } from '@casewatch/contracts/languages';
import { t } from '@lingui/core/macro';
import { PRODUCT_NAME } from '../../config/product.ts';
import { htmlOf, renderIn } from '../../i18n/render-page.tsx';
import type { RenderedPage } from '../landing/live-texts.ts';
import { BrowsersPage } from './browsers-page.tsx';

/** Renders the page about browsers for the build to put into its file. */
export function renderBrowsersPage(language: Language): RenderedPage {
  renderIn(language);
  return {
    title: `${t`Browsers that work with Casewatch`} | ${PRODUCT_NAME}`,
    description: t`The oldest versions of Safari, Chrome, Edge and Firefox that run Casewatch, and what to do with an older one.`,
    html: htmlOf(<BrowsersPage />),
  };
}
