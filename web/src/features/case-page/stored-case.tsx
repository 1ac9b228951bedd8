import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useOffline } from '../../api/offline.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAge, formatMoment } from '../../lib/format-moment.ts';
import { serverNowMs } from '../../lib/server-clock.ts';

interface StoredCaseProps {
  /** Undefined where this device has nothing of the case. */
  savedCase: SavedCase | undefined;
  onRetry: () => void;
}

/** Renders, in place of a lookup that got no answer, what is stored of the case and from when it is. */
export function StoredCase({ savedCase, onRetry }: StoredCaseProps) {
  const isOffline = useOffline();
  return (
    <section className="card case-status" aria-labelledby="case-status">
      <h2 id="case-status">
        <Trans>Status</Trans>
      </h2>
      {savedCase ? (
        <StoredStatus savedCase={savedCase} />
      ) : (
        <p>{t`There is no copy of this case on this device.`}</p>
      )}
      <div className="case-check">
        <p>
          {isOffline
            ? t`You are offline. The case is looked up when you are connected again.`
            : t`The server does not answer. Check your connection and try again.`}
        </p>
        <Button onClick={onRetry}>
          <Icon name="refresh" size={16} />
          <Trans>Try again</Trans>
        </Button>
      </div>
    </section>
  );
}

function StoredStatus({
  savedCase: { lastKnownStatus, needsAction, statusEs, lastCheckedAt },
}: {
  savedCase: SavedCase;
}) {
  if (!lastKnownStatus) return <p>{t`It was saved, and not checked yet.`}</p>;
  const age = lastCheckedAt === null ? undefined : formatAge(lastCheckedAt, serverNowMs());
  return (
    <>
      <div className="case-status-marks">
        <StatusBadge status={lastKnownStatus} statusEs={statusEs} />
        {needsAction && <NeedsAction />}
      </div>
      {lastCheckedAt !== null && (
        <p>
          <Trans>
            As of <time dateTime={lastCheckedAt}>{formatMoment(lastCheckedAt)}</time> ({age})
          </Trans>
        </p>
      )}
    </>
  );
}
