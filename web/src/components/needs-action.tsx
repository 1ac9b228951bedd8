import { needsAction } from '@casewatch/contracts/status-guide';
import { Trans } from '@lingui/react/macro';
import './needs-action.scss';
import { Icon } from './icon.tsx';

/**
 * Marks a status that asks something of the applicant, by icon and words, next to the status's own color. Loads the status guide:
 * for the first load there is `NeedsAction`.
 */
export function NeedsActionMark({ status }: { status: string | null }) {
  if (!needsAction(status)) return null;
  return (
    <span className="needs-action" data-testid="needs-action">
      <Icon name="alert-triangle" size={16} />
      <Trans>Needs action</Trans>
    </span>
  );
}
