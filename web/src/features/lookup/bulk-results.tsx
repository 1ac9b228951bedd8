import type { BulkResultItem } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { type ReactNode, useId } from 'react';
import { isSavedIn, type useSavedCasesOf } from '../../api/saved-cases.ts';
import { RequestReference } from '../../components/error-reference.tsx';
import { Icon } from '../../components/icon.tsx';
import { CaseCard } from './case-card.tsx';
import { failureText } from './lookup-failure.ts';
import { SaveButton } from './save-button.tsx';

interface BulkResultsProps {
  items: readonly BulkResultItem[];
  saved: ReturnType<typeof useSavedCasesOf>;
  /** Takes one item off the screen. */
  onDismiss: (receiptNumber: string) => void;
  onProNeeded: (feature: string) => void;
}

/** Renders one card for each receipt number of a bulk search, in the order asked. */
export function BulkResults({ items, saved, onDismiss, onProNeeded }: BulkResultsProps) {
  return items.map((item) => {
    const { receiptNumber, success, data } = item;
    const dismiss = <DismissButton receiptNumber={receiptNumber} onDismiss={onDismiss} />;
    if (!success || data === undefined)
      return <FailedItem key={receiptNumber} item={item} dismiss={dismiss} />;
    return (
      <CaseCard
        key={receiptNumber}
        result={data}
        foldedHistory
        actions={(describedBy) => (
          <>
            <SaveButton
              receiptNumber={data.receiptNumber}
              isSaved={isSavedIn(saved, data.receiptNumber)}
              describedBy={describedBy}
              onProNeeded={onProNeeded}
            />
            {dismiss}
          </>
        )}
      />
    );
  });
}

function FailedItem({ item, dismiss }: { item: BulkResultItem; dismiss: ReactNode }) {
  const id = useId();
  return (
    <article className="card case-card case-card-failed" aria-labelledby={id}>
      <header className="case-card-head">
        <h2 className="receipt-number" id={id}>
          {item.receiptNumber}
        </h2>
        <div className="case-card-actions">{dismiss}</div>
      </header>
      <p className="case-card-error">
        <Icon name="alert-triangle" />
        <span>{failureText(item)}</span>
      </p>
      <RequestReference reference={item.requestId} />
    </article>
  );
}

interface DismissButtonProps {
  receiptNumber: string;
  onDismiss: (receiptNumber: string) => void;
}

function DismissButton({ receiptNumber, onDismiss }: DismissButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t`Remove ${receiptNumber} from the results`}
      onClick={() => onDismiss(receiptNumber)}
    >
      <Icon name="x" />
    </button>
  );
}
