import type { createSubscription } from '@casewatch/contracts/billing';
import type { AnswerOf } from '@casewatch/contracts/route-contract';
import type { TextKey } from '@casewatch/contracts/server-text';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Billing } from './billing.ts';
import { currentSubscription, entitlementOf, isOver } from './entitlement.ts';
import type { Promotion, ProviderState, ProviderSubscription } from './provider.ts';

/** What a code takes off, as browsers get it. */
export type DiscountShown = NonNullable<AnswerOf<typeof createSubscription>['promotion']>;

/** Returns what is shown of a code that is used, and until when: an unfinished subscription may have begun some days ago. */
export function discountOf(
  { code, percentOff, centsOff, duration, months }: Promotion,
  { discountEndsMs }: Pick<ProviderSubscription, 'discountEndsMs'>,
): DiscountShown {
  const amountOff = centsOff === null ? null : centsOff / 100;
  const endsAt = discountEndsMs === undefined ? null : new Date(discountEndsMs).toISOString();
  return { code, percentOff, amountOff, duration, months, endsAt };
}

/** Looks up a code before anything is changed for it. @throws AppError PROMOTION_REFUSED */
export async function promotionOf(
  { provider, clock, graceMs }: Billing,
  promotionCode: string | undefined,
  { customerId, priceId, state }: { customerId: string; priceId: string; state: ProviderState },
): Promise<Promotion | undefined> {
  if (!promotionCode) return undefined;
  // What is over holds no code: an operator may have made another one with the same letters since.
  const current = currentSubscription(state.subscriptions);
  const held = current && !isOver(current) ? current.promotionId : undefined;
  const found = await provider.findPromotion(promotionCode, { customerId, priceId, held });
  if (found === 'unknown') throw promotionRefused('PROMOTION_REFUSED');
  if (found === 'other-price') throw promotionRefused('promotion-other-price');
  const seen = entitlementOf(state, { nowMs: clock.nowMs(), graceMs });
  if (found.forFirstPurchase && seen?.trialUsed) throw promotionRefused('promotion-first-purchase');
  return found;
}

/** Answers that a code takes nothing off; nothing has changed. */
export function promotionRefused(text: TextKey = 'PROMOTION_REFUSED', cause?: unknown): AppError {
  return new AppError('PROMOTION_REFUSED', text, { cause });
}
