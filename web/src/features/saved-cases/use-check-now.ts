import { useCaseLookUp } from '../../api/case-status.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { explainLookupFailure, SINGLE_FALLBACKS } from '../lookup/lookup-failure.ts';

/** Looks a saved case up now; its card follows by itself. Says in a toast when that fails. */
export function useCheckNow(receiptNumber: string) {
  const { mutate, isPending, data: result } = useCaseLookUp();
  const toast = useToast();
  const run = () => {
    if (isPending) return;
    mutate(receiptNumber, {
      onError: (error) => {
        const { text, advice } = explainLookupFailure(error, SINGLE_FALLBACKS);
        toast({ title: 'Error', description: `${text} ${advice}`, variant: 'destructive', error });
      },
    });
  };
  return { run, isPending, result };
}
