import { hasCode } from '../../api/api-error.ts';
import { useImportCases } from '../../api/workspace.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { countCases, useCaseChanges } from '../saved-cases/use-case-changes.ts';

/** Saves many cases at once, says how that went, and offers to take it back. */
export function useSaveAll(onProNeeded: (feature: string) => void) {
  const { mutateAsync, isPending } = useImportCases();
  const { undo } = useCaseChanges();
  const toast = useToast();

  const saveAll = async (receiptNumbers: readonly string[]) => {
    if (receiptNumbers.length === 0) return;
    try {
      const cases = receiptNumbers.map((receiptNumber) => ({
        receiptNumber,
        monitoringFrequency: 'none' as const,
      }));
      const results = await mutateAsync([cases]);
      const refused = results.find(({ outcome }) => outcome === 'refused');
      const fresh = results.flatMap((one) => (one.outcome === 'changed' ? [one.receiptNumber] : []));
      toast({
        title: refused ? 'Saved in part' : 'Cases saved',
        description: `${countCases(fresh.length, 'saved')}.${refused ? ` ${refused.error}` : ''}`,
        ...(refused ? { variant: 'destructive' } : {}),
        ...(fresh.length > 0
          ? {
              action: {
                label: 'Undo',
                run: () => void undo([{ action: 'remove', receiptNumbers: fresh }]),
              },
            }
          : {}),
      });
    } catch (error) {
      if (hasCode(error, 'PRO_REQUIRED')) return onProNeeded('Saving more than 3 cases');
      toast({ title: 'Error', description: 'Failed to save case', variant: 'destructive' });
    }
  };
  return { saveAll, isSaving: isPending };
}
