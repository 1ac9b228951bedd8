import { FACT_TEXTS } from '@casewatch/contracts/answer-texts';
import type { Language } from '@casewatch/contracts/languages';
import { GUIDE_PAGE } from '@casewatch/contracts/server-paths';
import { guideReviewed, type Phase, STATUSES } from '@casewatch/contracts/status-guide';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PRODUCT_NAME } from '../../config/product.ts';
import { htmlOf, renderIn } from '../../i18n/render-page.tsx';
import { AuthLink, LanguageLink } from '../landing/landing-links.tsx';
import type { RenderedPage } from '../landing/live-texts.ts';
import { PublicPage } from '../landing/public-page.tsx';
import { ThemeToggle, themeToggleName } from '../theme/theme-toggle.tsx';
import { GuideEntry } from './guide-entry-card.tsx';
import type { GuideTexts } from './run-guide.ts';

/** Renders the status guide for the build to put into its file; `run-guide.ts` adds what HTML can't do. */
export function renderGuide(language: Language): RenderedPage & { liveTexts: GuideTexts } {
  renderIn(language);
  // Filled in by the script.
  const [shown, total] = ['{shown}', '{total}'];
  return {
    title: `${t`What your USCIS case status means`} | ${PRODUCT_NAME}`,
    description: t`USCIS case statuses in plain words: what each one means, what to do next, and what to do if the notice does not come.`,
    html: htmlOf(<GuidePage language={language} />),
    liveTexts: {
      themeToggle: { light: themeToggleName('light'), dark: themeToggleName('dark') },
      found: t`Statuses shown: ${shown} of ${total}`,
      none: t`No status has all these words. Try fewer words, or the words of the status alone.`,
    },
  };
}

const PHASES = Object.keys({
  received: true,
  biometrics: true,
  evidence: true,
  interview: true,
  decision: true,
  card: true,
  transferred: true,
  closed: true,
  other: true,
} satisfies Record<Phase, true>) as Phase[];

/** Shows every status that the product knows, by phase. Made at build time: it can be read without an account and without scripts. */
export function GuidePage({ language }: { language: Language }) {
  const phases = PHASES.map((phase) => ({
    id: `phase-${phase}`,
    name: FACT_TEXTS[`phase-${phase}`][language],
    rows: STATUSES.filter((row) => row.phase === phase),
  }));
  return (
    <PublicPage
      className="guide"
      tools={
        <>
          <LanguageLink path={GUIDE_PAGE} />
          <span className="needs-script">
            <ThemeToggle />
          </span>
          <AuthLink className="btn btn-outline-secondary">
            <Trans>Sign In</Trans>
          </AuthLink>
        </>
      }
    >
      <Introduction language={language} />
      <nav className="guide-contents" aria-labelledby="guide-contents">
        <h2 id="guide-contents">
          <Trans>On this page</Trans>
        </h2>
        <ul>
          {phases.map(({ id, name }) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      {phases.map(({ id, name, rows }) => (
        <section key={id} id={id} className="guide-phase" aria-labelledby={`${id}-name`} tabIndex={-1}>
          <h2 id={`${id}-name`}>{name}</h2>
          {rows.map((row) => (
            <GuideEntry key={Object.keys(row.titles)[0]} row={row} language={language} />
          ))}
        </section>
      ))}
    </PublicPage>
  );
}

function Introduction({ language }: { language: Language }) {
  const reviewed = guideReviewed(language);
  return (
    <>
      <h1>
        <Trans>What your USCIS case status means</Trans>
      </h1>
      <p className="guide-lead">
        <Trans>
          Find the status that USCIS shows for your case. Read what it means, what to do next, and what to do
          if the notice does not come.
        </Trans>
      </p>
      <p className="guide-note">
        <strong>
          <Trans>If a USCIS notice says something different, follow the notice.</Trans>
        </strong>{' '}
        <Trans>General information, not legal advice.</Trans> <Trans>Reviewed {reviewed}.</Trans>
      </p>
      <p className="guide-action">
        <AuthLink className="btn btn-primary btn-lg">
          <Trans>Look up your case</Trans>
        </AuthLink>
        <span>
          <Trans>All you need is a free account and the receipt number from your notice.</Trans>
        </span>
      </p>
      <search className="guide-search needs-script">
        <label htmlFor="guide-search">
          <Trans>Search by the words of a status</Trans>
        </label>
        <input id="guide-search" type="search" autoComplete="off" spellCheck={false} />
        <p role="status" />
      </search>
    </>
  );
}
