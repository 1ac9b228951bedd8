import type { Price } from '@casewatch/contracts/billing';
import { addDays } from 'date-fns/addDays';
import { dollars } from '../../lib/dollars.ts';
import { formatDay } from '../../lib/format-moment.ts';

/** A first payment, the card of a trial, or a renewal that has failed. */
export type PaymentKind = 'payment' | 'setup' | 'overdue';

/** What the paying button says: always the amount that it is about. */
export function payLabel(kind: PaymentKind, { amount, interval }: Price): string {
  if (kind === 'overdue') return `Pay ${dollars(amount)}`;
  return `Subscribe to Pro - ${dollars(amount)}/${interval}`;
}

/** What somebody agrees to who presses it: what is charged, and when. */
export function termsOf(
  kind: PaymentKind,
  { amount, interval }: Price,
  { now, trialDays }: { now: Date; trialDays: number },
): string {
  const price = dollars(amount);
  if (kind === 'overdue') return `This pays your open invoice of ${price}. Pro then goes on as before.`;
  if (kind === 'payment') return `${price} is charged today, then every ${interval} until you cancel.`;
  const day = formatDay(addDays(now, trialDays).toISOString());
  return `Your ${trialDays}-day free trial begins today: you pay nothing now. The first payment of ${price} is taken on ${day}, then every ${interval}. Cancel before ${day} and you pay nothing.`;
}
