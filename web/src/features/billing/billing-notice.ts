import type { Subscription } from '@casewatch/contracts/billing';
import { formatDay } from '../../lib/format-moment.ts';

export interface BillingNotice {
  /** Tells one notice from the next: closing one does not close the other. */
  id: string;
  text: string;
}

/** What the owner of a subscription whose renewal failed has to be told wherever they are; undefined when all is well. */
export function billingNotice({ tier, paymentFailed, endsAt }: Subscription): BillingNotice | undefined {
  if (!paymentFailed) return undefined;
  if (tier === 'free') {
    return {
      id: 'ended',
      text: 'Pro has ended because your last payment failed. Your saved cases are kept. Update your payment method to get Pro back.',
    };
  }
  const until = endsAt === null ? '' : ` before ${formatDay(endsAt)}`;
  return {
    id: `failed ${endsAt ?? ''}`,
    text: `Your last payment failed. Update your payment method${until} to keep Pro.`,
  };
}
