import type { Subscription } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import type { QueryClient } from '@tanstack/react-query';
import { confirmPayment, readBillingConfig, readSubscriptionAnew, type Switched } from '../../api/billing.ts';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';
import { formatDay } from '../../lib/format-moment.ts';
import { sleep } from '../../lib/sleep.ts';
import { PAYMENT_PROCESSING } from '../billing/payment-messages.ts';
import { loadPaymentProvider } from '../upgrade/use-payment-provider.ts';

const LOOK_EVERY_MS = 1_000;
const LOOKS_MAX = 10;

/** Lets the payer authenticate the change to yearly payment where the bank wants it, sees it made, and returns the words for how it went. */
export async function finishSwitch(client: QueryClient, switched: Switched): Promise<ToastMessage> {
  const refusal = await authenticate(switched);
  if (refusal !== undefined) {
    // What was canceled or ended meanwhile, in another tab or by support, can't be paid either.
    const goesOn = (await readSubscriptionAnew(client))?.canCancel ?? true;
    const outcome = goesOn
      ? t`Nothing was charged, and your monthly plan continues.`
      : t`Nothing was charged.`;
    return {
      title: t`Not switched`,
      description: [refusal, outcome].filter(Boolean).join(' '),
      variant: 'destructive',
    };
  }
  let now: Subscription | undefined = switched;
  for (let looks = 0; now?.price?.interval !== 'year'; looks += 1) {
    if (looks === LOOKS_MAX) return PAYMENT_PROCESSING;
    if (looks > 0) await sleep(LOOK_EVERY_MS);
    now = await readSubscriptionAnew(client);
  }
  return {
    title: t`Switched to yearly`,
    ...(now.renewsAt ? { description: t`The next payment is on ${formatDay(now.renewsAt)}.` } : {}),
  };
}

/** Returns why the payment failed, in the provider's words; undefined where it succeeded, is in progress, or needs none. */
async function authenticate({ clientSecret, paymentMethodId }: Switched): Promise<string | undefined> {
  if (clientSecret === undefined || paymentMethodId === undefined) return undefined;
  const stripe = await loadPaymentProvider(await readBillingConfig());
  const { error } = await stripe.confirmPayment({
    clientSecret,
    confirmParams: { payment_method: paymentMethodId, return_url: `${window.location.origin}/` },
    redirect: 'if_required',
  });
  // A lost answer or another tab may have paid: the payment itself says so.
  const { paymentStatus } = await confirmPayment(clientSecret.split('_secret_')[0] ?? '');
  return paymentStatus === 'succeeded' || paymentStatus === 'processing' ? undefined : (error?.message ?? '');
}
