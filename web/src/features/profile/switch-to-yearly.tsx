import type { Subscription } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../api/api-error.ts';
import { useAddsTax, useSwitchPreview, useSwitchToYearly } from '../../api/billing.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useFailureToast, useToast } from '../../components/toast/toast-provider.tsx';
import { formatDay } from '../../lib/format-moment.ts';
import { dollars } from '../../lib/format-number.ts';
import { finishSwitch } from './finish-switch.ts';

/** Changes from monthly to yearly payment, after saying what that costs now. */
export function SwitchToYearly({ subscription }: { subscription: Subscription }) {
  const [isAsking, setIsAsking] = useState(false);
  const { data: preview, error, isFetching, refetch } = useSwitchPreview(isAsking);
  const { mutateAsync, isPending } = useSwitchToYearly();
  const [isPaying, setIsPaying] = useState(false);
  const addsTax = useAddsTax();
  const client = useQueryClient();
  const toast = useToast();
  const fail = useFailureToast();
  if (!subscription.canSwitchToYearly && !isAsking && !isPaying) return null;

  const confirm = async () => {
    if (!preview) return;
    try {
      const switched = await mutateAsync(preview.at);
      // The bank's own dialog must have the focus.
      setIsAsking(false);
      setIsPaying(true);
      toast(await finishSwitch(client, switched));
    } catch (failure) {
      fail(failure, t`Your plan could not be changed. Please try again.`);
    } finally {
      setIsPaying(false);
    }
  };

  return (
    <>
      <Button aria-disabled={isPaying} onClick={() => !isPaying && setIsAsking(true)}>
        <Trans>Switch to yearly billing</Trans>
      </Button>
      <ConfirmDialog
        show={isAsking}
        title={t`Switch to yearly billing?`}
        confirmLabel={
          preview && preview.dueNow > 0 ? t`Switch and pay ${dollars(preview.dueNow)}` : t`Switch`
        }
        cancelLabel={t`Keep monthly`}
        pending={isPending}
        canConfirm={preview !== undefined && !isFetching}
        onConfirm={() => void confirm()}
        onHide={() => setIsAsking(false)}
      >
        {preview ? (
          <p className="mb-0">
            {preview.dueNow > 0
              ? t`You pay ${dollars(preview.dueNow)} today: ${dollars(preview.price.amount)} for a year, minus the unused part of this month.`
              : t`You pay nothing today.`}{' '}
            {preview.taxed && preview.dueNow > 0 && t`This includes tax.`}{' '}
            {preview.discounted &&
              t`As long as the discount of your promotion code lasts, it is taken off what you pay.`}{' '}
            {addsTax && preview.taxed
              ? t`The next payment of ${dollars(preview.price.amount)} plus tax is on ${formatDay(preview.nextPaymentAt)}.`
              : t`The next payment of ${dollars(preview.price.amount)} is on ${formatDay(preview.nextPaymentAt)}.`}
          </p>
        ) : error && !isFetching ? (
          <LoadFailure error={error} onRetry={() => void refetch()} isPart>
            <p>{failureText(error, t`The price could not be loaded. Please try again.`)}</p>
          </LoadFailure>
        ) : (
          <Spinner label={t`Loading the price...`} />
        )}
      </ConfirmDialog>
    </>
  );
}
