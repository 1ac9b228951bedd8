import { needsAction } from '@casewatch/contracts/needs-action';
import { guidanceFor, guideReviewed } from '@casewatch/contracts/status-guide';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/icon.tsx';
import { languageShown } from '../../lib/format-number.ts';

/** Renders what a status means and what the applicant may need to do, in plain language. */
export function StatusMeaning({ status, formType }: { status: string; formType: string }) {
  const language = languageShown();
  const reviewed = guideReviewed(language);
  const { means, todo, link } = guidanceFor(status, formType, language);
  return (
    <section
      className={`card case-section status-meaning ${needsAction(status) ? 'status-meaning-urgent' : ''}`}
      aria-labelledby="status-means"
    >
      <h2 id="status-means">
        <Trans>What this means</Trans>
      </h2>
      <p>{means}</p>
      <h2>
        <Trans>What you may need to do</Trans>
      </h2>
      <p>{todo}</p>
      <p className="status-meaning-page">
        <a href={link.href} target="_blank" rel="noopener noreferrer">
          {link.name}
          <Icon name="external-link" size={14} />
          <span className="visually-hidden">
            {' '}
            <Trans>on uscis.gov, opens in a new tab</Trans>
          </span>
        </a>
      </p>
      <p className="status-meaning-note">
        <Trans>
          General information, not legal advice. Reviewed {reviewed}. The notices you get from the agency
          always count more.
        </Trans>
      </p>
    </section>
  );
}
