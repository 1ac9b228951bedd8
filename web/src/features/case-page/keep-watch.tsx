import '../saved-cases/saved-cases.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useWatches } from '../../api/watches.ts';
import { PlanEndWarning } from '../billing/plan-end-warning.tsx';
import { MonitoringField } from '../saved-cases/monitoring-field.tsx';
import { NicknameField } from '../saved-cases/nickname-field.tsx';
import { SnoozeField } from '../saved-cases/snooze-field.tsx';
import { TagField } from '../saved-cases/tag-field.tsx';

interface KeepWatchProps {
  savedCase: SavedCase | undefined;
  onProNeeded: (feature: string) => void;
}

/** Nickname, tags and monitoring of a saved case, in place; for any other one, what saving it would bring. */
export function KeepWatch({ savedCase, onProNeeded }: KeepWatchProps) {
  return (
    <section className="card case-section keep-watch" tabIndex={-1} aria-labelledby="keep-watch">
      <h2 id="keep-watch">{savedCase ? t`Your case` : t`Not saved yet`}</h2>
      {savedCase ? (
        <SavedFields savedCase={savedCase} onProNeeded={onProNeeded} />
      ) : (
        <p>
          <Trans>
            Save this case to give it a nickname and tags, find it again and have it checked for you.
          </Trans>
        </p>
      )}
    </section>
  );
}

function SavedFields({
  savedCase,
  onProNeeded,
}: {
  savedCase: SavedCase;
  onProNeeded: KeepWatchProps['onProNeeded'];
}) {
  const watches = useWatches([savedCase], savedCase.receiptNumber);
  return (
    <>
      <NicknameField savedCase={savedCase} describedBy="keep-watch" />
      <TagField savedCase={savedCase} />
      <MonitoringField savedCase={savedCase} watches={watches} onProNeeded={onProNeeded} />
      {savedCase.monitoringFrequency !== 'none' && (
        <>
          <SnoozeField savedCase={savedCase} place="page" />
          <PlanEndWarning />
        </>
      )}
    </>
  );
}
