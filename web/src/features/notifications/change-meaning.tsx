import type { StatusNotification } from '@casewatch/contracts/notifications';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import { Trans } from '@lingui/react/macro';
import { languageShown } from '../../lib/format-number.ts';

interface ChangeMeaningProps {
  notification: StatusNotification;
  formType: string;
}

/** Renders what a new status means and what the applicant may need to do, as e-mails say it; nothing for a status without a text that asks nothing. */
export function ChangeMeaning({ notification, formType }: ChangeMeaningProps) {
  const { means, todo, isKnown } = guidanceFor(notification.newStatus, formType, languageShown());
  if (!isKnown && !notification.needsAction) return null;
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
