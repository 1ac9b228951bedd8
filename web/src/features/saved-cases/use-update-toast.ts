import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../../api/api-error.ts';
import { isOffline } from '../../api/offline.ts';
import { refreshSavedCases } from '../../api/saved-case-data.ts';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';

/** Says how a change of a saved case went. */
export function useUpdateToast() {
  const toast = useToast();
  const report = useErrorToast();
  const client = useQueryClient();
  return {
    /** With a way back where the same control has none; offline the change can be undone until it is sent. */
    updated: (undo?: () => void) => {
      if (isOffline(client))
        return toast({ title: t`Saved offline`, description: t`We’ll sync when you reconnect.` });
      toast({
        title: t`Updated`,
        description: t`Case settings have been updated`,
        ...(undo ? { action: { label: t`Undo`, run: undo } } : {}),
      });
    },
    /** A case that is not found was removed on another device: the list then shows what is there now. */
    failed: (error: unknown, receiptNumber: string) => {
      if (!hasCode(error, 'SAVED_CASE_NOT_FOUND')) {
        return report(error, t`Failed to update case`);
      }
      refreshSavedCases(client);
      report(
        error,
        t`${receiptNumber} was removed in another tab or on another device. You can restore it from Recently removed.`,
        t`Couldn’t change`,
      );
    },
  };
}
