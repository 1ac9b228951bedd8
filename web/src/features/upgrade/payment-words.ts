import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import { addDays } from 'date-fns/addDays';
import { dollars } from '../../lib/dollars.ts';
import { formatDay } from '../../lib/format-moment.ts';
import { pricePerInterval } from './price-words.ts';

/** A first payment, the card of a trial, or a renewal that has failed. */
export type PaymentKind = 'payment' | 'setup' | 'overdue';

/** What the paying button says: the amount that it is about, or that there is none to pay. */
export function payLabel(kind: PaymentKind, price: Price, trialDays: number): string {
  if (kind === 'setup') return t`Start ${trialDays}-day free trial`;
  if (kind === 'overdue') return t`Pay ${dollars(price.amount)}`;
  return t`Subscribe to Pro - ${pricePerInterval(price)}`;
}

/** What somebody agrees to who presses it: what is charged, and when. */
export function termsOf(
  kind: PaymentKind,
  { amount, interval }: Price,
  { now, trialDays }: { now: Date; trialDays: number },
): string {
  const price = dollars(amount);
  if (kind === 'overdue') return t`This pays your open invoice of ${price}. Pro then continues as before.`;
  const isYearly = interval === 'year';
  if (kind === 'payment') {
    return isYearly
      ? t`${price} is charged today, then every year until you cancel.`
      : t`${price} is charged today, then every month until you cancel.`;
  }
  const day = formatDay(addDays(now, trialDays).toISOString());
  return isYearly
    ? t`Your ${trialDays}-day free trial begins today: you pay nothing now. The first payment of ${price} is taken on ${day}, then every year. Cancel before ${day} and you pay nothing.`
    : t`Your ${trialDays}-day free trial begins today: you pay nothing now. The first payment of ${price} is taken on ${day}, then every month. Cancel before ${day} and you pay nothing.`;
}
