import type { Price } from '@casewatch/contracts/billing';
import { t } from '@lingui/core/macro';
import type { Discount } from '../../api/billing.ts';
import { formatDay } from '../../lib/format-moment.ts';
import { dollars } from '../../lib/format-number.ts';
import { pricePerInterval } from './price-words.ts';

const DAY_MS = 24 * 3_600_000;

/** Of 24 hours each, as the provider counts: a day of the calendar may have 23 or 25. */
function dayAfter(now: Date, days: number): string {
  return formatDay(new Date(now.getTime() + days * DAY_MS).toISOString());
}

/** A first payment, the card of a trial, or a renewal that has failed. */
export type PaymentKind = 'payment' | 'setup' | 'overdue';

/** Returns what the paying button says: the amount that it is about, or that there is none to pay. */
export function payLabel(kind: PaymentKind, price: Price, trialDays: number): string {
  if (kind === 'setup') return t`Start ${trialDays}-day free trial`;
  if (kind === 'overdue') return t`Pay ${dollars(price.amount)}`;
  return t`Subscribe to Pro - ${pricePerInterval(price)}`;
}

/** Returns what pressing the button agrees to: what is charged, and when. */
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
  const day = dayAfter(now, trialDays);
  return isYearly
    ? t`Your ${trialDays}-day free trial begins today: you pay nothing now. The first payment of ${price} is taken on ${day}, then every year. Cancel before ${day} and you pay nothing.`
    : t`Your ${trialDays}-day free trial begins today: you pay nothing now. The first payment of ${price} is taken on ${day}, then every month. Cancel before ${day} and you pay nothing.`;
}

/** Returns when a discount ends that more than one payment may have: a year is paid at once. */
export function endOfDiscount(
  { endsAt, months }: Pick<Discount, 'endsAt' | 'months'>,
  { interval }: Price,
): string | null {
  return interval === 'year' && months !== null && months < 12 ? null : endsAt;
}

/**
 * Returns what pressing the button agrees to where a discount ends: `due` is the first payment, `price` what is paid then, which tax may
 * come on top of.
 */
export function termsOfDiscount(
  isTrial: boolean,
  { price, due, endsAt, addsTax }: { price: Price; due: number; endsAt: string | null; addsTax: boolean },
  { now, trialDays }: { now: Date; trialDays: number },
): string {
  const amount = dollars(due);
  const usual = pricePerInterval(price);
  const full = addsTax ? t`${usual} plus tax` : usual;
  const day = dayAfter(now, trialDays);
  const first = isTrial
    ? t`Your ${trialDays}-day free trial begins today: you pay nothing now. The first payment of ${amount} is taken on ${day}. Cancel before ${day} and you pay nothing.`
    : t`${amount} is charged today.`;
  const then =
    endsAt === null
      ? t`After the first payment you pay ${full} until you cancel.`
      : t`The discount ends on ${formatDay(endsAt)}: then you pay ${full} until you cancel.`;
  return `${first} ${then}`;
}

/** Returns how much of the amount is tax, where tax is computed. */
export function taxNote(due: { tax?: number | undefined } | undefined): string {
  if (due?.tax === undefined) return '';
  const tax = dollars(due.tax);
  return t`This includes ${tax} of tax.`;
}

/** Returns who gets a trial, where that is in question: shown before the card is asked for. */
export function trialRule(kind: PaymentKind, trialRefused: boolean): string {
  if (kind === 'setup')
    return t`One free trial per person. If this card was already used for one, nothing is charged, and you see the price before you pay.`;
  if (kind === 'payment' && trialRefused)
    return t`You can’t get a free trial: this card or email address was already used for one, or can’t be checked.`;
  return '';
}
