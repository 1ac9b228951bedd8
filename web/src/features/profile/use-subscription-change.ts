import { t } from '@lingui/core/macro';
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
    toast({ title: t`Error`, description: failureText(error, words), variant: 'destructive', error });

  return {
    isPending: cancel.isPending || resume.isPending,
    cancel: async () => {
      try {
        const { endsAt } = await cancel.mutateAsync();
        toast({
          title: t`Subscription canceled`,
          description:
            endsAt === null ? t`You will not be charged again.` : t`You keep Pro until ${formatDay(endsAt)}.`,
        });
      } catch (error) {
        failed(error, t`Failed to cancel the subscription. Please try again.`);
      }
    },
    resume: async () => {
      try {
        await resume.mutateAsync();
        toast({ title: t`Subscription resumed`, description: t`Pro continues as before.` });
      } catch (error) {
        failed(error, t`Failed to resume the subscription. Please try again.`);
      }
    },
  };
}
