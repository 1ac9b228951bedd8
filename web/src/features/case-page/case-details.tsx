import type { CaseStatusResult, SavedCase } from '@casewatch/contracts/cases';
import { GUIDE_PAGE } from '@casewatch/contracts/server-paths';
import { guidanceFor, guideId, guideReviewed } from '@casewatch/contracts/status-guide';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { useSavedCasesOf } from '../../api/saved-cases.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StaleNotice } from '../../components/stale-notice.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { languageShown } from '../../lib/format-number.ts';
import { serverNowMs } from '../../lib/server-clock.ts';
import { CaseDescription } from '../lookup/case-description.tsx';
import { CaseFacts } from '../lookup/case-facts.tsx';
import { CaseDates } from './case-dates.tsx';
import { caseTimes, checkWords } from './case-days.ts';
import { Times } from './case-summary.tsx';
import { CaseTimeline } from './case-timeline.tsx';
import { KeepWatch } from './keep-watch.tsx';

interface CaseDetailsProps {
  result: CaseStatusResult;
  /** Undefined while the case is not saved, or not known to be. */
  savedCase: SavedCase | undefined;
  saved: ReturnType<typeof useSavedCasesOf>;
  isChecking: boolean;
  onCheck: () => void;
  onProNeeded: (feature: string) => void;
}

/** Renders everything that is known of a case, the most important first. */
export function CaseDetails({
  result,
  savedCase,
  saved,
  isChecking,
  onCheck,
  onProNeeded,
}: CaseDetailsProps) {
  const nowMs = serverNowMs();
  const online = useOnlineOnly();
  const checked = checkWords(result, savedCase?.lastCheckedAt ?? null, nowMs);
  return (
    <div className="case-columns">
      <div className="case-column">
        <section className="card case-status" aria-labelledby="case-status">
          <h2 id="case-status">
            <Trans>Status</Trans>
          </h2>
          <div className="case-status-marks">
            <StatusBadge status={result.caseStatus} statusEs={result.statusEs} />
            {result.needsAction && <NeedsAction />}
          </div>
          {result.needsAction && (
            <div className="case-next-step">
              <NextStep result={result} />
            </div>
          )}
          <Times {...caseTimes(result, nowMs)} />
          <StaleNotice result={result} />
          <div className="case-check">
            <p role="status">{isChecking ? t`Checking with the agency...` : checked}</p>
            <Button
              aria-disabled={isChecking}
              {...online.props}
              onClick={() => !isChecking && !online.isOffline && onCheck()}
            >
              <Icon name="refresh" size={16} />
              {isChecking ? t`Checking...` : t`Check now`}
            </Button>
          </div>
        </section>
        {result.caseDescription !== '' && (
          <section className="card case-section" aria-labelledby="agency-words">
            <h2 id="agency-words">
              <Trans>What the agency says</Trans>
            </h2>
            <CaseDescription result={result} />
          </section>
        )}
        <StatusMeaning result={result} />
        <section className="card case-section case-details" aria-labelledby="case-facts">
          <h2 id="case-facts">
            <Trans>Case details</Trans>
          </h2>
          <CaseFacts result={result} />
        </section>
      </div>
      <div className="case-column">
        <CaseDates
          receiptNumber={result.receiptNumber}
          savedCase={savedCase}
          isUnsaved={saved.data !== undefined && savedCase === undefined}
          asks={result.needsAction}
        />
        <KeepWatch savedCase={savedCase} saved={saved} onProNeeded={onProNeeded} />
        <section className="card case-section" aria-labelledby="case-history">
          <h2 id="case-history">
            <Trans>Case history</Trans>
          </h2>
          <CaseTimeline entries={result.histCaseData} />
        </section>
      </div>
    </div>
  );
}

/** Renders what the applicant may need to do about a status, and where the agency says how. */
function NextStep({ result: { caseStatus, formType } }: { result: CaseStatusResult }) {
  const { todo, link } = guidanceFor(caseStatus, formType, languageShown());
  return (
    <>
      <h3>
        <Trans>What you may need to do</Trans>
      </h3>
      <p>{todo}</p>
      <p>
        <a href={link.href} target="_blank" rel="noopener noreferrer">
          {link.name}
          <Icon name="external-link" size={14} />
          <span className="visually-hidden">
            {' '}
            <Trans>on uscis.gov, opens in a new tab</Trans>
          </span>
        </a>
      </p>
    </>
  );
}

/** Renders what a status means in plain language, and the next step where it does not stand beneath the status already. */
function StatusMeaning({ result }: { result: CaseStatusResult }) {
  const { caseStatus: status, formType, needsAction } = result;
  const language = languageShown();
  const reviewed = guideReviewed(language);
  const { means, isKnown } = guidanceFor(status, formType, language);
  return (
    <section className="card case-section" aria-labelledby="status-means">
      <h2 id="status-means">
        <Trans>What this means</Trans>
      </h2>
      <p>{means}</p>
      {!needsAction && <NextStep result={result} />}
      <p>
        {isKnown ? (
          <a href={`${GUIDE_PAGE}#${guideId(status)}`}>
            <Trans>This status in the status guide</Trans>
          </a>
        ) : (
          <a href={GUIDE_PAGE}>
            <Trans>All statuses in the status guide</Trans>
          </a>
        )}
      </p>
      <p className="status-meaning-note">
        <Trans>
          General information, not legal advice. Reviewed {reviewed}. If a USCIS notice says something
          different, follow the notice.
        </Trans>
      </p>
    </section>
  );
}
