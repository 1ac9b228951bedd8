import { Trans } from '@lingui/react/macro';
import './case-card.scss';
import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StaleNotice } from '../../components/stale-notice.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { CaseDescription } from './case-description.tsx';
import { CaseFacts } from './case-facts.tsx';
import { CaseHistory } from './case-history.tsx';

interface CaseCardProps {
  result: CaseStatusResult;
  /** Buttons at the top of the card; `describedBy` is the id of the receipt number they act on. */
  actions: (describedBy: string) => ReactNode;
  /** What matters first, beneath the status. */
  summary?: ReactNode;
}

/** Renders the status of one case with all that is known of it. */
export function CaseCard({ result, actions, summary }: CaseCardProps) {
  const id = useId();
  return (
    <article
      className={`card case-card case-card-open ${result.stale ? 'case-card-stale' : ''}`}
      aria-labelledby={id}
    >
      <header className="case-card-head">
        <h2 className="receipt-number" id={id}>
          <Link to={`/cases/${result.receiptNumber}`}>{result.receiptNumber}</Link>
        </h2>
        <div className="case-card-actions">{actions(id)}</div>
        <div className="case-card-status">
          <StatusBadge status={result.caseStatus} statusEs={result.statusEs} />
          {result.needsAction && <NeedsAction />}
          <Link to={`/cases/${result.receiptNumber}`} aria-describedby={id}>
            <Trans>What this means</Trans>
          </Link>
        </div>
        {summary}
      </header>
      <StaleNotice result={result} />
      <CaseDescription result={result} />
      <CaseFacts result={result} />
      <div className="case-card-history">
        <h3>
          <Trans>Case history</Trans>
        </h3>
        <CaseHistory entries={result.histCaseData} />
      </div>
    </article>
  );
}
