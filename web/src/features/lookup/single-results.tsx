import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { type ComponentType, lazy, type RefObject, Suspense, useEffect } from 'react';
import { isSavedIn, useSavedCasesOf } from '../../api/saved-cases.ts';
import { CaseCard } from './case-card.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { LookupProgress } from './lookup-progress.tsx';
import { ResultsAnnouncement } from './results-announcement.tsx';
import { SaveButton } from './save-button.tsx';
import type { SingleLookup } from './use-single-lookup.ts';

const loadSummary = () => import('../case-page/case-summary.tsx').then(({ CaseSummary }) => CaseSummary);
/** The texts about statuses are loaded while the agency is asked. The card does without when they can't be loaded. */
const CaseSummary = lazy(
  async (): Promise<{ default: ComponentType<{ result: CaseStatusResult }> }> => ({
    default: await loadSummary().catch(() => () => null),
  }),
);

interface SingleResultsProps {
  /** Takes the focus when the element that had it is removed. */
  ref: RefObject<HTMLElement | null>;
  lookup: SingleLookup;
  onCancelled: () => void;
  onProNeeded: (feature: string) => void;
}

/** Renders what came of looking up one case. */
export function SingleResults({ ref, lookup, onCancelled, onProNeeded }: SingleResultsProps) {
  const { asked, isPending, result, failure, lookUp, cancel } = lookup;
  const saved = useSavedCasesOf(asked === undefined ? [] : [asked]);
  useEffect(() => {
    if (isPending) void loadSummary().catch(() => undefined);
  }, [isPending]);
  const retry = () => {
    ref.current?.focus();
    if (asked !== undefined) lookUp(asked);
  };
  const cancelAndLeave = () => {
    cancel();
    onCancelled();
  };
  return (
    <section className="lookup-results" ref={ref} tabIndex={-1} aria-label={t`Results`} aria-busy={isPending}>
      <ResultsAnnouncement isPending={isPending} result={result} />
      {isPending && !result && <LookupProgress what={asked ?? ''} onCancel={cancelAndLeave} />}
      {result && (
        <CaseCard
          key={result.receiptNumber}
          result={result}
          summary={
            <Suspense fallback={<div className="case-summary-space" />}>
              <CaseSummary result={result} />
            </Suspense>
          }
          actions={(describedBy) => (
            <SaveButton
              receiptNumber={result.receiptNumber}
              isSaved={isSavedIn(saved, result.receiptNumber)}
              describedBy={describedBy}
              onProNeeded={onProNeeded}
            />
          )}
        />
      )}
      {failure && <FailureNotice failure={failure} receiptNumber={asked} onRetry={retry} />}
    </section>
  );
}
