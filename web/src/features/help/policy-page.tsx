import type { Language } from '@casewatch/contracts/languages';
import { t } from '@lingui/core/macro';
import { PRODUCT_NAME } from '../../config/product.ts';
import { htmlOf, renderIn } from '../../i18n/render-page.tsx';
import { LanguageLink } from '../landing/landing-links.tsx';
import type { RenderedPage } from '../landing/live-texts.ts';
import { PublicPage } from '../landing/public-page.tsx';

/** Renders the frame of the policy pages for the build to put into its file; the gateway writes their texts and titles into it. */
export function renderPolicyPage(language: Language): RenderedPage {
  renderIn(language);
  return {
    title: `| ${PRODUCT_NAME}`,
    description: t`Who runs this installation of Casewatch, and by which rules.`,
    html: htmlOf(<PolicyFrame />),
  };
}

/** Needs no script: it can be read and printed by everyone. The language link stays on the page that it is on. */
export function PolicyFrame() {
  return (
    <PublicPage className="policy-page" tools={<LanguageLink path="" />}>
      <article />
    </PublicPage>
  );
}
