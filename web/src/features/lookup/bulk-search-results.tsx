import type { RefObject } from 'react';
import { BulkResults } from './bulk-results.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { LookupProgress } from './lookup-progress.tsx';
import { ResultsAnnouncement } from './results-announcement.tsx';
import type { BulkLookup } from './use-bulk-lookup.ts';

interface BulkSearchResultsProps {
  /** Takes the focus when what had it goes away. */
  ref: RefObject<HTMLElement | null>;
  lookup: BulkLookup;
  onCancelled: () => void;
  onProNeeded: (feature: string) => void;
}

/** What came of looking up several cases. */
export function BulkSearchResults({ ref, lookup, onCancelled, onProNeeded }: BulkSearchResultsProps) {
  const { askedCount, isPending, items, failure, retry, cancel, dismiss } = lookup;
  const focusFirst = (act: () => void) => () => {
    // The button is about to go.
    ref.current?.focus();
    act();
  };
  const cancelAndLeave = () => {
    cancel();
    onCancelled();
  };

  return (
    <section className="lookup-results" ref={ref} tabIndex={-1} aria-label="Results" aria-busy={isPending}>
      <ResultsAnnouncement isPending={isPending} items={items} />
      {isPending && !items && (
        <LookupProgress
          what={askedCount === 1 ? '1 case' : `${askedCount} cases`}
          onCancel={cancelAndLeave}
        />
      )}
      {items && (
        <BulkResults
          items={items}
          onDismiss={(receiptNumber) => focusFirst(() => dismiss(receiptNumber))()}
          onProNeeded={onProNeeded}
        />
      )}
      {failure && <FailureNotice failure={failure} onRetry={focusFirst(retry)} />}
    </section>
  );
}
