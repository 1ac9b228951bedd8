import { guidanceFor, needsAction } from '@casewatch/contracts/status-guide';
import { Trans } from '@lingui/react/macro';
import { languageShown } from '../../lib/format-number.ts';

/** Renders what a new status means and what the applicant may need to do, as e-mails say it; nothing for a status without a text that asks nothing. */
export function ChangeMeaning({ status, formType }: { status: string; formType: string }) {
  const { means, todo, isKnown } = guidanceFor(status, formType, languageShown());
  if (!isKnown && !needsAction(status)) return null;
  return (
    <span className="notification-means">
      <span>{means}</span>
      <span>
        <Trans>
          <strong>Next step:</strong> {todo}
        </Trans>
      </span>
    </span>
  );
}
