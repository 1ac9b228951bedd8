import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { AgencyMessage } from '../../components/agency-message.tsx';
import { Button } from '../../components/button.tsx';
import './failure-notice.scss';
import { ErrorReference } from '../../components/error-reference.tsx';
import { Icon } from '../../components/icon.tsx';
import { OFFICIAL_CASE_STATUS_URL } from '../../config/product.ts';
import type { LookupFailure } from './lookup-failure.ts';

interface FailureNoticeProps {
  failure: LookupFailure;
  /** The receipt number asked for, where it was one. */
  receiptNumber?: string | undefined;
  onRetry: () => void;
  /** Id of what it belongs to, where there are several. */
  within?: string;
}

/** Says calmly in the result area why there is no status and what to do next; the toast has announced it already. */
export function FailureNotice({ failure, receiptNumber, onRetry, within = '' }: FailureNoticeProps) {
  const titleId = useId();
  const { title, text, titleSaysAll, advice, canRetry, error } = failure;
  return (
    <section className="card failure-notice" aria-labelledby={`${within} ${titleId}`.trim()}>
      <Icon name="alert-triangle" size={22} />
      <div>
        <h2 id={titleId}>{title}</h2>
        {receiptNumber !== undefined && <p className="receipt-number">{receiptNumber}</p>}
        {!titleSaysAll && <p>{text}</p>}
        <AgencyMessage words={error instanceof ApiError ? error.agencyMessage : undefined} />
        <p className="failure-advice">{advice}</p>
        <ErrorReference error={error} />
        <div className="failure-actions">
          {canRetry && (
            <Button onClick={onRetry}>
              <Icon name="refresh" size={16} />
              <Trans>Try again</Trans>
            </Button>
          )}
          <a href={OFFICIAL_CASE_STATUS_URL} target="_blank" rel="noopener noreferrer">
            <Trans>Open the official site</Trans>
          </a>
        </div>
      </div>
    </section>
  );
}
