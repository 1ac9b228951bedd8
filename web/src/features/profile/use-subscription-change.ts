import { failureText } from '../../api/api-error.ts';
import { useCancelSubscription, useResumeSubscription } from '../../api/billing.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { formatDay } from '../../lib/format-moment.ts';

/** Cancels and resumes the subscription and says how it went. */
export function useSubscriptionChange() {
  const cancel = useCancelSubscription();
  const resume = useResumeSubscription();
  const toast = useToast();
  const failed = (error: unknown, words: string) =>
    toast({ title: 'Error', description: failureText(error, words), variant: 'destructive' });

  return {
    isPending: cancel.isPending || resume.isPending,
    cancel: async () => {
      try {
        const { endsAt } = await cancel.mutateAsync();
        const until = endsAt === null ? '' : `You keep Pro until ${formatDay(endsAt)}.`;
        toast({ title: 'Subscription canceled', description: until || 'You will not be charged again.' });
      } catch (error) {
        failed(error, 'Failed to cancel the subscription. Please try again.');
      }
    },
    resume: async () => {
      try {
        await resume.mutateAsync();
        toast({ title: 'Subscription resumed', description: 'Pro goes on as before.' });
      } catch (error) {
        failed(error, 'Failed to resume the subscription. Please try again.');
      }
    },
  };
}
