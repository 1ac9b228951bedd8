import { failureText } from '../../api/api-error.ts';
import { useCaseLookUp } from '../../api/case-status.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

/** Looks a saved case up now; its card follows by itself. Says in a toast when that fails. */
export function useCheckNow(receiptNumber: string) {
  const { mutate, isPending, data: result } = useCaseLookUp();
  const toast = useToast();
  const run = () => {
    if (isPending) return;
    mutate(receiptNumber, {
      onError: (error) =>
        toast({
          title: 'Error',
          description: failureText(error, 'Failed to fetch case status. Please try again.'),
          variant: 'destructive',
        }),
    });
  };
  return { run, isPending, result };
}
