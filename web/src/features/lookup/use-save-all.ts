import { FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { plural, t } from '@lingui/core/macro';
import { hasCode } from '../../api/api-error.ts';
import { useSaveCases } from '../../api/workspace.ts';
import { useErrorToast, useToast } from '../../components/toast/toast-provider.tsx';
import { serverText } from '../../lib/server-texts.ts';
import { useCaseChanges } from '../saved-cases/use-case-changes.ts';

/** Saves many cases at once, says how that went, and offers to take it back. */
export function useSaveAll(onProNeeded: (feature: string) => void) {
  const { mutateAsync, isPending } = useSaveCases();
  const { undo } = useCaseChanges();
  const toast = useToast();
  const report = useErrorToast();

  const saveAll = async (receiptNumbers: readonly string[]) => {
    if (receiptNumbers.length === 0) return;
    try {
      const cases = receiptNumbers.map((receiptNumber) => ({
        receiptNumber,
        monitoringFrequency: 'none' as const,
      }));
      const results = await mutateAsync(cases);
      const refused = results.find(({ outcome }) => outcome === 'refused');
      const fresh = results.flatMap((one) => (one.outcome === 'changed' ? [one.receiptNumber] : []));
      toast({
        title: refused ? t`Some cases saved` : t`Cases saved`,
        description:
          `${plural(fresh.length, { one: '# case saved.', other: '# cases saved.' })} ${(refused && serverText(refused)) ?? ''}`.trim(),
        ...(refused ? { variant: 'destructive' } : {}),
        ...(fresh.length > 0
          ? {
              action: {
                label: t`Undo`,
                run: () => void undo([{ action: 'remove', receiptNumbers: fresh }]),
              },
            }
          : {}),
      });
    } catch (error) {
      if (hasCode(error, 'PRO_REQUIRED'))
        return onProNeeded(t`Saving more than ${FREE_SAVED_CASES_MAX} cases`);
      report(error, t`Failed to save case`);
    }
  };
  return { saveAll, isSaving: isPending };
}
