import '../saved-cases/saved-cases.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { useWatches } from '../../api/watches.ts';
import { PlanEndWarning } from '../billing/plan-end-warning.tsx';
import { MonitoringField } from '../saved-cases/monitoring-field.tsx';
import { NicknameField } from '../saved-cases/nickname-field.tsx';

interface KeepWatchProps {
  savedCase: SavedCase | undefined;
  onProNeeded: (feature: string) => void;
}

/** Nickname and monitoring of a saved case, in place; for any other one, what saving it would bring. */
export function KeepWatch({ savedCase, onProNeeded }: KeepWatchProps) {
  return (
    <section className="card case-section keep-watch" aria-labelledby="keep-watch">
      <h2 id="keep-watch">{savedCase ? 'Your case' : 'Not saved yet'}</h2>
      {savedCase ? (
        <SavedFields savedCase={savedCase} onProNeeded={onProNeeded} />
      ) : (
        <p>Save this case to give it a nickname, find it again and have it checked for you.</p>
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
  const watches = useWatches([savedCase]);
  return (
    <>
      <NicknameField savedCase={savedCase} describedBy="keep-watch" />
      <MonitoringField savedCase={savedCase} watches={watches} onProNeeded={onProNeeded} />
      {savedCase.monitoringFrequency !== 'none' && <PlanEndWarning />}
    </>
  );
}
