import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { useOffline } from '../../api/offline.ts';
import { useRemoveSavedCase } from '../../api/saved-cases.ts';
import type { ReadWatches } from '../../api/watch-refresh.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { MonitoringField } from './monitoring-field.tsx';
import { SavedCaseCard } from './saved-case-card.tsx';
import { useCaseChanges } from './use-case-changes.ts';

interface SavedCaseListProps {
  savedCases: readonly SavedCase[];
  watches: ReadWatches | undefined;
  selected: ReadonlyMap<string, SavedCase>;
  onSelect: (cases: readonly SavedCase[], isOn: boolean) => void;
  onProNeeded: (feature: string) => void;
}

/** Renders one card per saved case. A removal is asked about first and can be undone; afterwards the focus is on the list. */
export function SavedCaseList({ savedCases, watches, selected, onSelect, onProNeeded }: SavedCaseListProps) {
  const list = useRef<HTMLUListElement>(null);
  const hasConfirmed = useRef(false);
  const { undo } = useCaseChanges();
  const remove = useRemoveSavedCase();
  const toast = useToast();
  const report = useErrorToast();
  const isOffline = useOffline();
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
      onSelect([candidate], false);
      // Above the list the removal can be undone until it is sent.
      if (isOffline)
        return toast({
          title: t`Saved offline`,
          description: t`The case will be removed when you reconnect.`,
        });
      toast({
        title: t`Case removed`,
        description: t`The case has been removed from your saved list`,
        action: {
          label: t`Undo`,
          run: () => void undo([{ action: 'restore', receiptNumbers: [candidate.receiptNumber] }]),
        },
      });
    } catch (error) {
      report(error, t`Failed to remove case`);
    }
  };

  // The button that asked is removed with its card.
  const focusList = () => {
    if (hasConfirmed.current) list.current?.focus({ preventScroll: true });
    hasConfirmed.current = false;
  };

  const removed = candidate?.nickname
    ? `${candidate.nickname} (${candidate.receiptNumber})`
    : candidate?.receiptNumber;

  return (
    <>
      <ul className="saved-case-list" ref={list} tabIndex={-1} aria-label={t`Saved Cases`}>
        {savedCases.map((savedCase) => (
          <li key={savedCase.id}>
            <SavedCaseCard
              savedCase={savedCase}
              monitoring={
                <MonitoringField savedCase={savedCase} watches={watches} onProNeeded={onProNeeded} />
              }
              isSelected={selected.has(savedCase.receiptNumber)}
              onSelect={(isOn) => onSelect([savedCase], isOn)}
              onRemove={() => setQuestion({ candidate: savedCase, isAsking: true })}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        show={isAsking}
        title={t`Remove this case?`}
        confirmLabel={t`Remove`}
        destructive
        onConfirm={() => void removeCandidate()}
        onHide={() => setQuestion((question) => ({ ...question, isAsking: false }))}
        onExited={focusList}
      >
        <p className="removal-words">
          <Trans>{removed} will be removed from your saved list.</Trans>
        </p>
      </ConfirmDialog>
    </>
  );
}
