import type { SavedCase } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useOffline } from '../../api/offline.ts';
import { useRemoveSavedCase } from '../../api/saved-cases.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { useCaseChanges } from './use-case-changes.ts';

interface Removal {
  onRemoved: (savedCase: SavedCase) => void;
  /** After a removal was confirmed: the button that asked is removed with its case, and the focus goes elsewhere. */
  onExited: () => void;
}

/** Returns what asks whether a case is to be removed and removes it, and the dialog to render. It can be undone. */
export function useCaseRemoval({ onRemoved, onExited }: Removal) {
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
      onRemoved(candidate);
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

  const exited = () => {
    if (hasConfirmed.current) onExited();
    hasConfirmed.current = false;
  };

  const removed = candidate?.nickname
    ? `${candidate.nickname} (${candidate.receiptNumber})`
    : (candidate?.receiptNumber ?? '');

  const dialog = (
    <ConfirmDialog
      show={isAsking}
      title={t`Remove this case?`}
      confirmLabel={t`Remove`}
      destructive
      onConfirm={() => void removeCandidate()}
      onHide={() => setQuestion((question) => ({ ...question, isAsking: false }))}
      onExited={exited}
    >
      {/* No <Trans>: Lingui reads tags in its values. */}
      <p className="removal-words">{t`${removed} will be removed from your saved list.`}</p>
    </ConfirmDialog>
  );
  return { ask: (savedCase: SavedCase) => setQuestion({ candidate: savedCase, isAsking: true }), dialog };
}
