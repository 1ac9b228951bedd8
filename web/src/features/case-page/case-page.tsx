import './case-page.scss';
import { isReceiptNumber, normaliseReceiptNumber } from '@casewatch/contracts/receipt-number';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, Navigate, useParams } from 'react-router-dom';
import { ApiError, hasCode } from '../../api/api-error.ts';
import { useCaseStatus } from '../../api/case-status.ts';
import { useOffline } from '../../api/offline.ts';
import { applied } from '../../api/offline-changes.ts';
import { isSavedIn, useSavedCasesOf } from '../../api/saved-cases.ts';
import { useWaitingChanges } from '../../api/waiting-changes.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PrintedBy } from '../../components/printed-by.tsx';
import { shownStatus } from '../../components/status-badge.tsx';
import { UpgradeDialog, useUpgradePrompt } from '../../components/upgrade-dialog.tsx';
import { FailureNotice } from '../lookup/failure-notice.tsx';
import { explainLookupFailure, SINGLE_FALLBACKS } from '../lookup/lookup-failure.ts';
import { LookupProgress } from '../lookup/lookup-progress.tsx';
import { CaseActions } from './case-actions.tsx';
import { CaseDetails } from './case-details.tsx';
import { StoredCase } from './stored-case.tsx';

/** Renders one case, at an address of its own: `/cases/EAC9999103403`. */
export function CasePage() {
  const { receiptNumber: written = '' } = useParams();
  const receiptNumber = normaliseReceiptNumber(written);
  if (!isReceiptNumber(receiptNumber)) return <NotAReceiptNumber />;
  if (receiptNumber !== written) return <Navigate to={`/cases/${receiptNumber}`} replace />;
  return <CaseView key={receiptNumber} receiptNumber={receiptNumber} />;
}

function CaseView({ receiptNumber }: { receiptNumber: string }) {
  const { data, error, isFetching, refetch } = useCaseStatus(receiptNumber);
  const saved = useSavedCasesOf([receiptNumber]);
  const upgrade = useUpgradePrompt();
  const isOffline = useOffline();
  const { changes } = useWaitingChanges();
  const savedCases = saved.data && applied(saved.data, changes);
  const savedCase = savedCases?.find((one) => one.receiptNumber === receiptNumber);
  // What the agency has withdrawn since is not shown again.
  const result = hasCode(error, 'RECEIPT_NOT_RECOGNIZED') ? undefined : data;
  const retry = () => {
    // The button goes with the notice.
    document.querySelector<HTMLElement>('#main h1')?.focus();
    void refetch();
  };
  // No answer at all: offline, or as good as.
  const isUnanswered = error !== null && !isFetching && !(error instanceof ApiError);
  const showsStored = isUnanswered && result === undefined && (isOffline || savedCase !== undefined);
  const nickname = savedCase?.nickname ?? null;
  const name = nickname ?? receiptNumber;

  return (
    <div className={`case-page ${nickname === null ? 'case-page-unnamed' : ''}`}>
      <PageHeading
        title={name}
        trail={<Trail name={name} isUnsaved={savedCases !== undefined && savedCase === undefined} />}
        subtitle={
          <span className="case-number">
            {nickname !== null && <span className="receipt-number">{receiptNumber}</span>}
            <CopyButton text={receiptNumber} label={t`Copy receipt number`} />
          </span>
        }
        documentTitle={
          result
            ? `${shownStatus({ status: result.caseStatus, statusEs: result.statusEs }).text} · ${name}`
            : t`Case ${name}`
        }
        actions={
          <CaseActions
            receiptNumber={receiptNumber}
            isSaved={savedCases ? savedCase !== undefined : isSavedIn(saved, receiptNumber)}
            onProNeeded={upgrade.ask}
          />
        }
      />
      <PrintedBy />
      <div aria-live="polite">
        {showsStored && <StoredCase savedCase={savedCase} onRetry={retry} />}
        {error !== null && !isFetching && !showsStored && !hasCode(error, 'SIGNED_OUT') && (
          <FailureNotice failure={explainLookupFailure(error, SINGLE_FALLBACKS)} onRetry={retry} />
        )}
        {isFetching && !result && <LookupProgress what={receiptNumber} />}
      </div>
      {result && (
        <CaseDetails
          result={result}
          savedCase={savedCase}
          saved={saved}
          isChecking={isFetching}
          onCheck={() => void refetch()}
          onProNeeded={upgrade.ask}
        />
      )}
      {(result !== undefined || error !== null) && <DisclaimerFooter />}
      <UpgradeDialog {...upgrade.dialog} />
    </div>
  );
}

/** Renders where the case belongs: among the saved ones, or what was searched for. */
function Trail({ name, isUnsaved }: { name: string; isUnsaved: boolean }) {
  return (
    <nav className="case-trail" aria-label={t`Breadcrumb`}>
      <ol>
        <li>
          {isUnsaved ? (
            <Link to="/">
              <Trans>Search</Trans>
            </Link>
          ) : (
            <Link to="/saved-cases">
              <Trans>Saved Cases</Trans>
            </Link>
          )}
        </li>
        <li aria-current="page">{name}</li>
      </ol>
    </nav>
  );
}

function NotAReceiptNumber() {
  return (
    <div className="message-page">
      <PageHeading title={t`Not a receipt number`} />
      <p>
        <Trans>
          A case has an address such as <span className="receipt-number">/cases/EAC9999103403</span>: 3
          letters followed by 10 numbers. This one is different.
        </Trans>
      </p>
      <p className="message-page-actions">
        <Link className="btn btn-primary" to="/">
          <Trans>Go to Search</Trans>
        </Link>
      </p>
    </div>
  );
}
