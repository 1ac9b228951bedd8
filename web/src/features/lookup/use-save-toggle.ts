import { FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { hasCode } from '../../api/api-error.ts';
import { useRemoveSavedCase, useSaveCase } from '../../api/saved-cases.ts';
import { useChangeCases } from '../../api/workspace.ts';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { serverText } from '../../lib/server-texts.ts';

interface SaveToggle {
  /** True while it is not known yet whether the case is saved, or a save is in flight. */
  isBusy: boolean;
  toggle: () => void;
}

/**
 * Saves a case, or removes it when it is saved, and says how it went. `onProNeeded` gets the feature's name when
 * a free user has no room left.
 */
export function useSaveToggle(
  receiptNumber: string,
  isSaved: boolean | undefined,
  onProNeeded: (feature: string) => void,
): SaveToggle {
  const save = useSaveCase();
  const remove = useRemoveSavedCase();
  const restore = useChangeCases();
  const toast = useToast();
  const report = useErrorToast();

  const saveCase = async () => {
    try {
      await save.mutateAsync(receiptNumber);
      toast({ title: t`Case saved`, description: t`You can now monitor this case for status changes` });
    } catch (error) {
      if (hasCode(error, 'SAVED_CASE_LIMIT'))
        return onProNeeded(t`Saving more than ${FREE_SAVED_CASES_MAX} cases`);
      report(error, t`Failed to save case`);
    }
  };
  const removeCase = async () => {
    try {
      await remove.mutateAsync(receiptNumber);
      toast({
        title: t`Case removed`,
        description: t`Case has been removed from your saved list`,
        action: { label: t`Undo`, run: () => void undo() },
      });
    } catch (error) {
      report(error, t`Failed to remove case`);
    }
  };

  const undo = async () => {
    try {
      const [outcome] = await restore.mutateAsync([{ action: 'restore', receiptNumbers: [receiptNumber] }]);
      if (outcome?.outcome !== 'refused') return;
      const where = t`You can find it under Recently removed in Saved Cases.`;
      toast({
        title: t`Couldn’t undo`,
        description: `${serverText(outcome)} ${where}`,
        variant: 'destructive',
      });
    } catch (error) {
      report(error, t`Failed to save case`);
    }
  };

  const isBusy = isSaved === undefined || save.isPending || remove.isPending;
  return {
    isBusy,
    toggle: () => {
      if (!isBusy) void (isSaved ? removeCase() : saveCase());
    },
  };
}
