import type { Language } from '@casewatch/contracts/languages';
import { BROWSERS_PAGE } from '@casewatch/contracts/server-paths';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { OFFICIAL_CASE_STATUS_URL, OLDEST_BROWSERS, PRODUCT_NAME } from '../../config/product.ts';
import { htmlOf, renderIn } from '../../i18n/render-page.tsx';
import { LanguageLink } from '../landing/landing-links.tsx';
import type { RenderedPage } from '../landing/live-texts.ts';
import { PublicPage } from '../landing/public-page.tsx';

/** Renders the page about browsers for the build to put into its file. */
export function renderBrowsersPage(language: Language): RenderedPage {
  renderIn(language);
  return {
    title: `${t`Browsers that work with Casewatch`} | ${PRODUCT_NAME}`,
    description: t`The oldest versions of Safari, Chrome, Edge and Firefox that run Casewatch, and what to do with an older one.`,
    html: htmlOf(<BrowsersPage />),
  };
}

const { safari, ios, chrome, edge, firefox } = OLDEST_BROWSERS;

/** Says which browsers run the app. Made at build time as a page without scripts: those that can't run it have to read it. */
export function BrowsersPage() {
  return (
    <PublicPage className="browsers-page" tools={<LanguageLink path={BROWSERS_PAGE} />}>
      <h1>
        <Trans>Browsers that work with Casewatch</Trans>
      </h1>
      <p>
        <Trans>These browsers work, and so does every newer version of them:</Trans>
      </p>
      <ul>
        <li>
          <Trans>On an iPhone or iPad: every browser, with iOS or iPadOS {ios} or newer</Trans>
        </li>
        <li>
          <Trans>Safari {safari} on a Mac</Trans>
        </li>
        <li>
          <Trans>Chrome {chrome}, on a computer or an Android phone</Trans>
        </li>
        <li>
          <Trans>Edge {edge}</Trans>
        </li>
        <li>
          <Trans>Firefox {firefox}, on a computer or an Android phone</Trans>
        </li>
      </ul>
      <WhatToDo />
    </PublicPage>
  );
}

function WhatToDo() {
  return (
    <>
      <h2>
        <Trans>If Casewatch does not start</Trans>
      </h2>
      <ul>
        <li>
          <Trans>Reload the page. The connection may have been lost for a moment.</Trans>
        </li>
        <li>
          <Trans>
            Update the browser: on an iPhone or iPad under Settings, General, Software Update; on an Android
            phone in the Play Store; on a computer in the browser’s own menu, under Help or About.
          </Trans>
        </li>
        <li>
          <Trans>
            Open Casewatch in the browser itself. The one inside another app, such as a messenger, may be
            older.
          </Trans>
        </li>
        <li>
          <Trans>Sign in on another device. Your cases are saved in your account, not on the device.</Trans>
        </li>
        <li>
          <Trans>
            The status of a case is also on the{' '}
            <a href={OFFICIAL_CASE_STATUS_URL} target="_blank" rel="noopener noreferrer">
              USCIS Case Status website
            </a>
            .
          </Trans>
        </li>
      </ul>
    </>
  );
}
