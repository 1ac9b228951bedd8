import './bulk-card.scss';
import type { BulkResultItem, CaseStatusResult } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { AgencyMessage } from '../../components/agency-message.tsx';
import { RequestReference } from '../../components/error-reference.tsx';
import { Icon } from '../../components/icon.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StaleNotice } from '../../components/stale-notice.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAgencyDate } from '../../lib/format-agency-date.ts';
import { CaseDescription } from './case-description.tsx';
import { CaseFacts } from './case-facts.tsx';
import { CaseHistory } from './case-history.tsx';
import { failureText } from './lookup-failure.ts';

interface BulkCardProps {
  item: BulkResultItem;
  /** Buttons at its end; `describedBy` is the id of the receipt number they act on. */
  actions: (describedBy: string) => ReactNode;
}

/** Renders one result of a bulk search in two lines. What else is known of the case opens on demand; a failed one says why. */
export function BulkCard({ item, actions }: BulkCardProps) {
  const id = useId();
  const { receiptNumber, success, data } = item;
  const isFound = success && data !== undefined;
  return (
    <article className="card bulk-card" aria-labelledby={id}>
      <h2 className="receipt-number" id={id}>
        {isFound ? <Link to={`/cases/${receiptNumber}`}>{receiptNumber}</Link> : receiptNumber}
      </h2>
      <div className="bulk-card-actions">{actions(id)}</div>
      {isFound ? (
        <FoundCase result={data} describedBy={id} />
      ) : (
        <div className="bulk-card-error">
          <Icon name="alert-triangle" size={16} />
          <div>
            {failureText(item)}
            <AgencyMessage words={item.agencyMessage} />
            <RequestReference reference={item.requestId} />
          </div>
        </div>
      )}
    </article>
  );
}

function FoundCase({ result, describedBy }: { result: CaseStatusResult; describedBy: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const count = result.histCaseData.length;
  const updated = formatAgencyDate(result.caseLastUpdated);
  const known = [result.formType, result.caseLastUpdated ? t`Last updated: ${updated}` : ''];
  return (
    <>
      <div className="bulk-card-status">
        <StatusBadge status={result.caseStatus} statusEs={result.statusEs} />
        {result.needsAction && <NeedsAction />}
      </div>
      <div className="bulk-card-foot">
        <span>{known.filter(Boolean).join(' · ')}</span>
        <Toggle
          words={t`Details`}
          isOpen={isOpen}
          controls={`${describedBy}-details`}
          describedBy={describedBy}
          onToggle={() => setIsOpen(!isOpen)}
        />
        {count > 0 && (
          <Toggle
            words={t`Case history (${count})`}
            isOpen={isHistoryOpen}
            controls={`${describedBy}-history`}
            describedBy={describedBy}
            onToggle={() => setIsHistoryOpen(!isHistoryOpen)}
          />
        )}
      </div>
      <StaleNotice result={result} />
      <div className="bulk-card-more" id={`${describedBy}-details`} hidden={!isOpen}>
        <CaseDescription result={result} />
        <CaseFacts result={result} />
      </div>
      <div className="bulk-card-more" id={`${describedBy}-history`} hidden={!isHistoryOpen}>
        <CaseHistory entries={result.histCaseData} />
      </div>
    </>
  );
}

interface ToggleProps {
  words: string;
  isOpen: boolean;
  controls: string;
  describedBy: string;
  onToggle: () => void;
}

function Toggle({ words, isOpen, controls, describedBy, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      className="bulk-card-toggle"
      aria-expanded={isOpen}
      aria-controls={controls}
      aria-describedby={describedBy}
      onClick={onToggle}
    >
      {words}
      <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={16} />
    </button>
  );
}
