import { CaseCard } from './case-card.tsx';
import { CaseCardPlaceholder } from './case-card-placeholder.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { ResultsAnnouncement } from './results-announcement.tsx';
import { SaveButton } from './save-button.tsx';
import type { useSingleLookup } from './use-single-lookup.ts';

interface SingleResultsProps {
  lookup: ReturnType<typeof useSingleLookup>;
  onProNeeded: (feature: string) => void;
}

/** What came of looking up one case. */
export function SingleResults({ lookup, onProNeeded }: SingleResultsProps) {
  const { asked, isPending, result, failure, lookUp } = lookup;
  return (
    <section className="lookup-results" aria-label="Results" aria-busy={isPending}>
      <ResultsAnnouncement isPending={isPending} result={result} />
      {isPending && !result && <CaseCardPlaceholder />}
      {result && (
        <CaseCard
          key={result.receiptNumber}
          result={result}
          actions={(describedBy) => (
            <SaveButton
              receiptNumber={result.receiptNumber}
              describedBy={describedBy}
              onProNeeded={onProNeeded}
            />
          )}
        />
      )}
      {failure && (
        <FailureNotice
          failure={failure}
          receiptNumber={asked}
          onRetry={() => asked !== undefined && lookUp(asked)}
        />
      )}
    </section>
  );
}
