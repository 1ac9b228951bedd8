import './saved-case-card.scss';
import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { ApiError } from '../../api/api-error.ts';
import { useCaseLookUp } from '../../api/case-status.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { StaleNotice } from '../../components/stale-notice.tsx';
import { StatusBadge, shownStatus } from '../../components/status-badge.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useOnlineOnly } from '../../components/use-online-only.ts';
import { dateText, nextDate } from '../../lib/case-date-words.ts';
import { formatLastChecked } from '../../lib/format-moment.ts';
import { explainLookupFailure, SINGLE_FALLBACKS } from '../lookup/lookup-failure.ts';
import { NicknameField } from './nickname-field.tsx';
import { SnoozeField } from './snooze-field.tsx';
import { TagField } from './tag-field.tsx';

interface SavedCaseCardProps {
  savedCase: SavedCase;
  monitoring: ReactNode;
  isSelected: boolean;
  onSelect: (isOn: boolean) => void;
  onRemove: () => void;
}

/** Renders a saved case: its name, what is known of it, and what can be done with it; what is rarely wanted opens on a click. */
export function SavedCaseCard({ savedCase, monitoring, isSelected, onSelect, onRemove }: SavedCaseCardProps) {
  const { receiptNumber, lastKnownStatus, lastCheckedAt } = savedCase;
  const next = nextDate(savedCase.dates);
  const id = useId();
  const check = useCheckNow(receiptNumber);
  const online = useOnlineOnly();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <article
      className={`card saved-case ${isSelected ? 'saved-case-selected' : ''} ${isOpen ? 'saved-case-open' : ''}`}
      aria-labelledby={id}
    >
      <header className="saved-case-head">
        <input
          type="checkbox"
          className="choice-input"
          aria-label={t`Select ${receiptNumber}`}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
        <h2 className="receipt-number" id={id}>
          <Link to={`/cases/${receiptNumber}`}>{receiptNumber}</Link>
        </h2>
        <Button
          aria-describedby={id}
          aria-disabled={check.isPending}
          title={t`Check now`}
          {...online.props}
          onClick={() => !online.isOffline && check.run()}
        >
          <Icon name="refresh" size={16} />
          <span>{check.isPending ? t`Checking...` : t`Check now`}</span>
        </Button>
        <Button aria-expanded={isOpen} aria-controls={`${id}-more`} onClick={() => setIsOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={16} />
          <span>
            <Trans>
              More<span className="visually-hidden"> about {receiptNumber}</span>
            </Trans>
          </span>
        </Button>
        <button
          type="button"
          className="icon-button"
          aria-label={t`Remove ${receiptNumber}`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </header>
      <div className="saved-case-name">
        <NicknameField savedCase={savedCase} describedBy={id} />
        {savedCase.needsAction && <NeedsAction />}
      </div>
      <dl className="saved-case-facts">
        <div>
          <dt>
            <Trans>Last Status</Trans>
          </dt>
          <dd>
            {lastKnownStatus ? (
              <StatusBadge status={lastKnownStatus} statusEs={savedCase.statusEs} />
            ) : (
              t`Not checked yet`
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Last Checked</Trans>
          </dt>
          <dd>{formatLastChecked(lastCheckedAt)}</dd>
        </div>
      </dl>
      {monitoring}
      {next && (
        <p className="saved-case-date">
          {dateText(next.kind, next.day)}
          {next.isPast && ` (${t`passed`})`}
        </p>
      )}
      <div className="saved-case-more" id={`${id}-more`} hidden={!isOpen}>
        {isOpen && <MoreFields savedCase={savedCase} describedBy={id} />}
      </div>
      {check.result && <StaleNotice result={check.result} />}
      <p className="visually-hidden" role="status">
        {check.result &&
          `${receiptNumber}: ${shownStatus({ status: check.result.caseStatus, statusEs: check.result.statusEs }).text}`}
      </p>
    </article>
  );
}

function MoreFields({ savedCase, describedBy }: { savedCase: SavedCase; describedBy: string }) {
  return (
    <>
      <TagField savedCase={savedCase} />
      {savedCase.monitoringFrequency !== 'none' && <SnoozeField savedCase={savedCase} place="card" />}
      <Link to={`/cases/${savedCase.receiptNumber}`} aria-describedby={describedBy}>
        <Trans>View details</Trans>
      </Link>
    </>
  );
}

/** Looks a saved case up now; its card follows by itself. Says in a toast when that fails. */
function useCheckNow(receiptNumber: string) {
  const { mutate, isPending, data: result } = useCaseLookUp();
  const toast = useToast();
  const run = () => {
    if (isPending) return;
    mutate(receiptNumber, {
      onError: (error) => {
        const { text, advice } = explainLookupFailure(error, SINGLE_FALLBACKS);
        toast({
          title: t`Error`,
          description: `${text} ${advice}`,
          agencyMessage: error instanceof ApiError ? error.agencyMessage : undefined,
          variant: 'destructive',
          error,
        });
      },
    });
  };
  return { run, isPending, result };
}
