import { FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { hasCode } from '../../api/api-error.ts';
import { useRemoveSavedCase, useSaveCase } from '../../api/saved-cases.ts';
import { useChangeCases } from '../../api/workspace.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

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

  const saveCase = async () => {
    try {
      await save.mutateAsync(receiptNumber);
      toast({ title: 'Case saved', description: 'You can now monitor this case for status changes' });
    } catch (error) {
      if (hasCode(error, 'SAVED_CASE_LIMIT'))
        return onProNeeded(`Saving more than ${FREE_SAVED_CASES_MAX} cases`);
      toast({
        title: 'Error',
        description: 'Failed to save case',
        variant: 'destructive',
      });
    }
  };
  const removeCase = async () => {
    try {
      await remove.mutateAsync(receiptNumber);
      toast({
        title: 'Case removed',
        description: 'Case has been removed from your saved list',
        action: { label: 'Undo', run: () => void undo() },
      });
    } catch {
      toast({
        title: 'Error',
        description: 'Failed to remove case',
        variant: 'destructive',
      });
    }
  };

  const undo = async () => {
    try {
      const [outcome] = await restore.mutateAsync([{ action: 'restore', receiptNumbers: [receiptNumber] }]);
      if (outcome?.outcome !== 'refused') return;
      const where = 'You find the case under Recently removed in Saved Cases.';
      toast({ title: 'Not undone', description: `${outcome.error} ${where}`, variant: 'destructive' });
    } catch {
      toast({ title: 'Error', description: 'Failed to save case', variant: 'destructive' });
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
