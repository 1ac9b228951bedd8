import type { Subscription } from '@casewatch/contracts/billing';
import { FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useCancelSubscription, useResumeSubscription } from '../../api/billing.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { formatDay } from '../../lib/format-moment.ts';

/** Renders one button that cancels the subscription, after asking, or takes the cancellation back; it keeps the focus. */
export function ChangeSubscription({ subscription }: { subscription: Subscription }) {
  const { canCancel, canResume, trialEndsAt, renewsAt, paymentsPaused } = subscription;
  const [isAsking, setIsAsking] = useState(false);
  const { cancel, resume, isPending } = useSubscriptionChange();
  if (!canCancel && !canResume) return null;

  const lastDay = trialEndsAt ?? renewsAt ?? paymentsPaused?.periodEndsAt ?? null;
  return (
    <>
      <button
        type="button"
        className={`btn btn-sm ${canResume ? 'btn-primary' : 'btn-outline-danger'}`}
        onClick={() => (canResume ? !isPending && resume() : setIsAsking(true))}
      >
        {canResume ? t`Resume subscription` : t`Cancel subscription`}
      </button>
      <ConfirmDialog
        show={isAsking}
        title={t`Cancel your subscription?`}
        confirmLabel={t`Cancel subscription`}
        cancelLabel={t`Keep Pro`}
        destructive
        pending={isPending}
        onConfirm={() => void cancel().then(() => setIsAsking(false))}
        onHide={() => setIsAsking(false)}
      >
        <p>
          {lastDay === null
            ? t`Nothing changes today. You keep Pro for the time you paid for. You will not be charged again.`
            : t`Nothing changes today. You keep Pro until ${formatDay(lastDay)}. You will not be charged again.`}
        </p>
        <p className="mb-0">
          <Trans>
            After that, automated monitoring pauses. Your saved cases and the frequency you chose for each are
            kept, and checks resume when you have Pro again. You can save a new case only while you have fewer
            than {FREE_SAVED_CASES_MAX}.
          </Trans>
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Cancels and resumes the subscription and says how it went. */
function useSubscriptionChange() {
  const cancel = useCancelSubscription();
  const resume = useResumeSubscription();
  const toast = useToast();
  const fail = useFailureToast();

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
        fail(error, t`Failed to cancel the subscription. Please try again.`);
      }
    },
    resume: async () => {
      try {
        await resume.mutateAsync();
        toast({ title: t`Subscription resumed`, description: t`Pro continues as before.` });
      } catch (error) {
        fail(error, t`Failed to resume the subscription. Please try again.`);
      }
    },
  };
}
