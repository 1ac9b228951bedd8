import { Trans } from '@lingui/react/macro';
import './needs-action.scss';
import { Icon } from './icon.tsx';

/** Marks a status that asks something of the applicant, by icon and words, next to the status's own color. */
export function NeedsAction() {
  return (
    <span className="needs-action" data-testid="needs-action">
      <Icon name="alert-triangle" size={16} />
      <Trans>Needs action</Trans>
    </span>
  );
}
