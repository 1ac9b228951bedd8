import { useRef } from 'react';
import { BulkResults } from './bulk-results.tsx';
import { CaseCardPlaceholder } from './case-card-placeholder.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { ResultsAnnouncement } from './results-announcement.tsx';
import type { useBulkLookup } from './use-bulk-lookup.ts';

interface BulkSearchResultsProps {
  lookup: ReturnType<typeof useBulkLookup>;
  onProNeeded: (feature: string) => void;
}

/** What came of looking up several cases. */
export function BulkSearchResults({ lookup, onProNeeded }: BulkSearchResultsProps) {
  const { isPending, items, failure, retry, dismiss } = lookup;
  const region = useRef<HTMLElement>(null);
  const dismissAndFocus = (receiptNumber: string) => {
    // The button is about to go with its card.
    region.current?.focus();
    dismiss(receiptNumber);
  };

  return (
    <section className="lookup-results" ref={region} tabIndex={-1} aria-label="Results" aria-busy={isPending}>
      <ResultsAnnouncement isPending={isPending} items={items} />
      {isPending && <CaseCardPlaceholder />}
      {items && <BulkResults items={items} onDismiss={dismissAndFocus} onProNeeded={onProNeeded} />}
      {failure && <FailureNotice failure={failure} onRetry={retry} />}
    </section>
  );
}
