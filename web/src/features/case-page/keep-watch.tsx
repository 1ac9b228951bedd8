import '../saved-cases/saved-cases.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useOffersPro } from '../../api/billing.ts';
import type { useSavedCasesOf } from '../../api/saved-cases.ts';
import { useWatches } from '../../api/watches.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { PlanEndWarning } from '../billing/plan-end-warning.tsx';
import { MonitoringField } from '../saved-cases/monitoring-field.tsx';
import { NicknameField } from '../saved-cases/nickname-field.tsx';
import { SnoozeField } from '../saved-cases/snooze-field.tsx';
import { TagField } from '../saved-cases/tag-field.tsx';

interface KeepWatchProps {
  /** Undefined while the case is not saved, or not known to be. */
  savedCase: SavedCase | undefined;
  /** The read that says which. */
  saved: ReturnType<typeof useSavedCasesOf>;
  onProNeeded: (feature: string) => void;
}

/** Renders nickname, tags and monitoring of a saved case, in place; for any other one, what saving it would bring. */
export function KeepWatch({ savedCase, saved, onProNeeded }: KeepWatchProps) {
  const offersPro = useOffersPro();
  const isUnsaved = saved.data !== undefined && savedCase === undefined;
  return (
    <section className="card case-section keep-watch" tabIndex={-1} aria-labelledby="keep-watch">
      <h2 id="keep-watch">{isUnsaved ? t`Not saved yet` : t`Your case`}</h2>
      {savedCase ? (
        <SavedFields savedCase={savedCase} onProNeeded={onProNeeded} />
      ) : isUnsaved ? (
        <p>
          {offersPro ? (
            <Trans>
              Save this case to give it a nickname and tags, find it again, and have it checked for you (Pro).
            </Trans>
          ) : (
            <Trans>Save this case to give it a nickname and tags, and find it again.</Trans>
          )}
        </p>
      ) : saved.isFetching ? (
        <Spinner />
      ) : (
        <LoadFailure error={saved.error} onRetry={() => void saved.refetch()} isPart>
          <p>
            <Trans>Your saved cases could not be loaded.</Trans>
          </p>
        </LoadFailure>
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
