import type { Subscription } from '@casewatch/contracts/billing';
import { dollars } from '../../lib/dollars.ts';
import { formatDay } from '../../lib/format-moment.ts';

export interface PlanFact {
  label: string;
  value: string;
}

/** What there is to know about a subscription, in the order it matters. */
export function planFacts(subscription: Subscription): PlanFact[] {
  const { price, trialEndsAt, renewsAt, endsAt, card, tier } = subscription;
  const facts: PlanFact[] = [];
  const add = (label: string, value: string) => facts.push({ label, value });
  if (tier === 'free') return facts;
  if (price !== null) add('Billing', `${price.displayName}, ${dollars(price.amount)}/${price.interval}`);
  if (trialEndsAt !== null) add('Free trial until', formatDay(trialEndsAt));
  if (endsAt !== null) add('Pro ends', formatDay(endsAt));
  else if (renewsAt !== null) add(trialEndsAt === null ? 'Renews' : 'First payment', formatDay(renewsAt));
  if (card !== null) add('Card', `${cardName(card.brand)} ending in ${card.last4}`);
  return facts;
}

/** Whether the user had Pro by a subscription that is over; one that was begun and never finished does not count. */
export function hasEnded({ tier, status, trialAvailable }: Subscription): boolean {
  return tier === 'free' && status === 'canceled' && !trialAvailable;
}

/** The price in the plan's head: the subscription's own, where it is known. */
export function planPrice(subscription: Subscription | null | undefined, usual: string): string {
  const price = subscription?.price;
  return price ? `${dollars(price.amount)}/${price.interval}` : usual;
}

/** The provider writes brands in small letters: 'visa', 'amex'. */
function cardName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1).replaceAll('_', ' ');
}
