import type { Language } from './languages.ts';
import type { PlanEndReason } from './limits.ts';
import { centsText, type PlanChange, type PlanWords, type PriceChange, textsIn } from './translations.ts';

export type { PlanChange, PlanWords } from './translations.ts';

/** What an end of Pro is put down to, after "Pro ended on … ". */
export const END_REASONS: Record<PlanEndReason, string> = {
  'payment-failed': 'because the payment failed',
  canceled: 'because it was canceled',
  refunded: 'because your payment was refunded or disputed',
};

/**
 * Returns what the bell, e-mails and push messages say of a milestone; `day` is that of its `effectiveAt`, as the reader writes days.
 */
export function planWords(change: PlanChange, day: string, language: Language = 'en'): PlanWords {
  return (textsIn(language)?.planWords ?? englishPlanWords)(change, day);
}

function englishPlanWords({ milestone, reason, priceChange }: PlanChange, day: string): PlanWords {
  switch (milestone) {
    case 'trial-ending':
      return {
        title: `Your free trial ends on ${day}`,
        text: `The first payment is taken on ${day}, and Pro continues. Cancel before then and you pay nothing.`,
        action: { label: 'See or change your plan', path: '/profile' },
      };
    case 'trial-without-card':
      return {
        title: `Your free trial ends on ${day}`,
        text: `There is no card to charge, so Pro ends with it and you pay nothing. Add a card before ${day} to keep Pro.`,
        action: { label: 'Add a card', path: '/profile' },
      };
    case 'payment-failed':
      return {
        title: 'Your payment for Pro failed',
        text: `You keep Pro until ${day}. Pay or use another card before then, and your cases stay monitored.`,
        action: { label: 'Fix the payment', path: '/upgrade' },
      };
    case 'pro-ended':
      return {
        title: 'Pro has ended',
        text: `Pro ended on ${day} ${END_REASONS[reason ?? 'canceled']}. Your saved cases are kept. Automatic checks are paused, and resume when you have Pro again.`,
        action: { label: 'Get Pro back', path: '/upgrade' },
      };
    case 'pro-returned':
      return {
        title: 'Pro is back',
        text: 'Automatic checks of your saved cases have resumed, as often as you chose.',
        action: { label: 'See your saved cases', path: '/saved-cases' },
      };
    case 'price-changing':
      return {
        title: `The price of Pro changes on ${day}`,
        text: `${priceChange ? `Pro will cost ${newPrice(priceChange)}. ` : ''}You pay the new price from your first renewal on or after ${day}. ${priceChange ? 'Both prices are before any tax or discount. ' : ''}To avoid it, cancel on your profile page before then; you keep Pro for the time you have paid.`,
        action: { label: 'See or change your plan', path: '/profile' },
      };
  }
}

const newPrice = ({ oldCents, newCents, yearly }: PriceChange) =>
  `${centsText(newCents)} a ${yearly ? 'year' : 'month'} instead of ${centsText(oldCents)}`;
