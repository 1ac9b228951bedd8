import type { Subscription } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { formatDay } from '../../lib/format-moment.ts';

export interface BillingNotice {
  /** Distinguishes one notice from the next: closing one does not close the other. */
  id: string;
  text: string;
}

/** Returns what the owner of a subscription whose renewal failed has to be shown on every screen; undefined when all is well. */
export function billingNotice({
  tier,
  paymentFailed,
  endsAt,
}: Pick<Subscription, 'tier' | 'paymentFailed' | 'endsAt'>): BillingNotice | undefined {
  if (!paymentFailed) return undefined;
  if (tier === 'free') {
    return {
      id: 'ended',
      text: t`Pro has ended because your last payment failed. Your saved cases are kept. Update your payment method to get Pro back.`,
    };
  }
  return {
    id: 'failed',
    text:
      endsAt === null
        ? t`Your last payment failed. Update your payment method to keep Pro.`
        : t`Your last payment failed. Update your payment method before ${formatDay(endsAt)} to keep Pro.`,
  };
}
