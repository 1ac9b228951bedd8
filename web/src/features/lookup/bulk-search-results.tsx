import { plural, t } from '@lingui/core/macro';
import { type RefObject, useState } from 'react';
import { useSavedCasesOf } from '../../api/saved-cases.ts';
import { BulkResults } from './bulk-results.tsx';
import { BulkSummary } from './bulk-summary.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { LookupProgress } from './lookup-progress.tsx';
import { ResultsAnnouncement } from './results-announcement.tsx';
import { type BulkOrder, sortBulkItems } from './sort-bulk-items.ts';
import type { BulkLookup } from './use-bulk-lookup.ts';

interface BulkSearchResultsProps {
  /** Takes the focus when the element that had it is removed. */
  ref: RefObject<HTMLElement | null>;
  lookup: BulkLookup;
  onCancelled: () => void;
  onProNeeded: (feature: string) => void;
}

/** Renders what came of looking up several cases. */
export function BulkSearchResults({ ref, lookup, onCancelled, onProNeeded }: BulkSearchResultsProps) {
  const { asked, isPending, isRetrying, items, failure, retry, retryFailed, cancel, dismiss } = lookup;
  const saved = useSavedCasesOf(asked);
  const [order, setOrder] = useState<BulkOrder>('asked');
  const sorted = items && sortBulkItems(items, order);
  const focusFirst = (act: () => void) => () => {
    // The button is about to go.
    ref.current?.focus();
    act();
  };
  const retryAndStay = async () => {
    // Its button goes with the last case that failed.
    if (await retryFailed()) ref.current?.focus();
  };
  const cancelAndLeave = () => {
    cancel();
    onCancelled();
  };

  return (
    <section className="lookup-results" ref={ref} tabIndex={-1} aria-label={t`Results`} aria-busy={isPending}>
      <ResultsAnnouncement isPending={isPending || isRetrying} items={items} />
      {isPending && !items && (
        <LookupProgress
          what={plural(asked.length, { one: '# case', other: '# cases' })}
          onCancel={cancelAndLeave}
        />
      )}
      {sorted && sorted.length > 1 && (
        <BulkSummary
          items={sorted}
          saved={saved}
          order={order}
          isRetrying={isRetrying}
          onSort={setOrder}
          onRetry={() => void retryAndStay()}
          onProNeeded={onProNeeded}
        />
      )}
      {sorted && (
        <BulkResults
          items={sorted}
          saved={saved}
          onDismiss={(receiptNumber) => focusFirst(() => dismiss(receiptNumber))()}
          onProNeeded={onProNeeded}
        />
      )}
      {failure && <FailureNotice failure={failure} onRetry={focusFirst(retry)} />}
    </section>
  );
}
