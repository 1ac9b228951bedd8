import type { Subscription } from '@casewatch/contracts/billing';
import { FREE_SAVED_CASES_MAX } from '@casewatch/contracts/limits';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { useSubscriptionChange } from './use-subscription-change.ts';

/** One button that cancels the subscription, after asking, or takes the cancellation back; it keeps the focus. */
export function ChangeSubscription({ subscription }: { subscription: Subscription }) {
  const { canCancel, canResume, trialEndsAt, renewsAt } = subscription;
  const [isAsking, setIsAsking] = useState(false);
  const { cancel, resume, isPending } = useSubscriptionChange();
  if (!canCancel && !canResume) return null;

  const lastDay = trialEndsAt ?? renewsAt;
  return (
    <>
      <button
        type="button"
        className={`btn btn-sm ${canResume ? 'btn-primary' : 'btn-outline-danger'}`}
        onClick={() => (canResume ? !isPending && resume() : setIsAsking(true))}
      >
        {canResume ? 'Resume subscription' : 'Cancel subscription'}
      </button>
      <ConfirmDialog
        show={isAsking}
        title="Cancel your subscription?"
        confirmLabel="Cancel subscription"
        cancelLabel="Keep Pro"
        destructive
        pending={isPending}
        onConfirm={() => void cancel().then(() => setIsAsking(false))}
        onHide={() => setIsAsking(false)}
      >
        <p>
          {lastDay === null
            ? 'You keep Pro for the time you have paid for.'
            : `You keep Pro until ${formatDay(lastDay)}.`}{' '}
          You will not be charged again.
        </p>
        <p className="mb-0">
          After that, automated monitoring stops. Your saved cases stay, but a new one can only be saved while
          you have fewer than {FREE_SAVED_CASES_MAX}.
        </p>
      </ConfirmDialog>
    </>
  );
}
