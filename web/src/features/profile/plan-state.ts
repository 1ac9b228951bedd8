import type { Subscription } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { formatDay } from '../../lib/format-moment.ts';
import { priceName, pricePerInterval } from '../upgrade/price-words.ts';

export interface PlanFact {
  label: string;
  value: string;
}

/** Returns what there is to know about a subscription, in the order it matters; `addsTax`: where it is taxed, that comes on top. */
export function planFacts(subscription: Subscription, addsTax = false): PlanFact[] {
  const { price, trialEndsAt, renewsAt, endsAt, paymentsPaused, card, tier } = subscription;
  const facts: PlanFact[] = [];
  const add = (label: string, value: string) => facts.push({ label, value });
  if (tier === 'free') return facts;
  if (price !== null) add(t`Billing`, `${priceName(price)}, ${planPrice(subscription, '', addsTax)}`);
  if (trialEndsAt !== null) add(t`Free trial until`, formatDay(trialEndsAt));
  if (endsAt !== null) add(t`Pro ends`, formatDay(endsAt));
  else if (renewsAt !== null) add(trialEndsAt === null ? t`Renews` : t`First payment`, formatDay(renewsAt));
  if (paymentsPaused) add(t`Payments`, pausedWords(paymentsPaused.resumeAt));
  if (card !== null)
    add(t({ message: 'Card', context: 'payment' }), t`${cardName(card.brand)} ending in ${card.last4}`);
  return facts;
}

function pausedWords(resumeAt: string | null): string {
  if (resumeAt === null) return t`Paused; nothing is charged until support resumes them`;
  return t`Paused until ${formatDay(resumeAt)}; nothing is charged until then`;
}

/** Returns whether the user had Pro by a subscription that is over; one that was begun and never finished does not count. */
export function hasEnded({ tier, status, trialAvailable, endedAt }: Subscription): boolean {
  return tier === 'free' && (endedAt !== null || (status === 'canceled' && !trialAvailable));
}

/** Returns when and why Pro ended: stays until the user has Pro again. */
export function endedWords({ endedAt, endReason }: Subscription): string {
  if (endedAt === null) return t`Your Pro subscription has ended. Your saved cases are kept.`;
  const day = formatDay(endedAt);
  switch (endReason) {
    case null:
      return t`Your Pro subscription ended on ${day}. Your saved cases are kept.`;
    case 'payment-failed':
      return t`Your Pro subscription ended on ${day} because the payment failed. Your saved cases are kept.`;
    case 'canceled':
      return t`Your Pro subscription ended on ${day} because it was canceled. Your saved cases are kept.`;
    case 'refunded':
      return t`Your Pro subscription ended on ${day} because your payment was refunded or disputed. Your saved cases are kept.`;
  }
}

/** Returns the price in the plan's head: the subscription's own, where it is known. */
export function planPrice(
  subscription: Subscription | null | undefined,
  usual: string,
  addsTax = false,
): string {
  if (!subscription?.price) return usual;
  const price = pricePerInterval(subscription.price);
  return addsTax && subscription.taxed ? t`${price} plus tax` : price;
}

/** The provider writes brands in small letters: 'visa', 'amex'. */
function cardName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1).replaceAll('_', ' ');
}
