import type { SavedCase } from '@casewatch/contracts/cases';
import { useRef, useState } from 'react';
import { useRemoveSavedCase } from '../../api/saved-cases.ts';
import { useWatches } from '../../api/watches.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { UpgradeDialog } from '../../components/upgrade-dialog.tsx';
import { useUpgradePrompt } from '../../lib/use-upgrade-prompt.ts';
import { MonitoringField } from './monitoring-field.tsx';
import { SavedCaseCard } from './saved-case-card.tsx';

/** One card per saved case. A removal is asked about first; afterwards the focus is on the list. */
export function SavedCaseList({ savedCases }: { savedCases: readonly SavedCase[] }) {
  const list = useRef<HTMLUListElement>(null);
  const hasConfirmed = useRef(false);
  const watches = useWatches(savedCases);
  const upgrade = useUpgradePrompt();
  const remove = useRemoveSavedCase();
  const toast = useToast();
  // The case outlives the closing, so that the words don't change while the dialog fades out.
  const [{ candidate, isAsking }, setQuestion] = useState<{ candidate?: SavedCase; isAsking: boolean }>({
    isAsking: false,
  });

  const removeCandidate = async () => {
    if (!candidate) return;
    setQuestion({ candidate, isAsking: false });
    hasConfirmed.current = true;
    try {
      await remove.mutateAsync(candidate.receiptNumber);
      toast({ title: 'Case removed', description: 'The case has been removed from your saved list' });
    } catch {
      toast({
        title: 'Error',
        description: 'Failed to remove case',
        variant: 'destructive',
      });
    }
  };

  // The button that asked is gone with its card.
  const focusList = () => {
    if (hasConfirmed.current) list.current?.focus();
    hasConfirmed.current = false;
  };

  return (
    <>
      <ul className="saved-case-list" ref={list} tabIndex={-1} aria-label="Saved Cases">
        {savedCases.map((savedCase) => (
          <li key={savedCase.id}>
            <SavedCaseCard
              savedCase={savedCase}
              monitoring={
                <MonitoringField savedCase={savedCase} watches={watches} onProNeeded={upgrade.ask} />
              }
              onRemove={() => setQuestion({ candidate: savedCase, isAsking: true })}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        show={isAsking}
        title="Remove this case?"
        confirmLabel="Remove"
        destructive
        onConfirm={() => void removeCandidate()}
        onHide={() => setQuestion((question) => ({ ...question, isAsking: false }))}
        onExited={focusList}
      >
        <p className="removal-words">
          {candidate?.nickname
            ? `${candidate.nickname} (${candidate.receiptNumber})`
            : candidate?.receiptNumber}{' '}
          will be removed from your saved list.
        </p>
      </ConfirmDialog>
      <UpgradeDialog {...upgrade.dialog} />
    </>
  );
}
