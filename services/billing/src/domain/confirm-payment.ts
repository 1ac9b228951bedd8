import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Billing, Subscriber } from './billing.ts';
import type { Standing } from './show-subscription.ts';
import { sync } from './sync.ts';

const INTENT = /^(?:pi|seti)_/;

/**
 * Takes the browser's word for nothing: the provider says whose the intent is, what became of it, and how the
 * subscription stands.
 * @throws AppError NOT_FOUND unless the intent is the user's own, SIGNED_OUT or PAYMENTS_UNAVAILABLE
 */
export async function confirmPayment(
  billing: Billing,
  subscriber: Subscriber,
  intentId: string,
): Promise<Standing & { paymentStatus: string }> {
  const { store, provider } = billing;
  const account = await store.find(subscriber.userId);
  const intent = account?.customerId && INTENT.test(intentId) ? await provider.intent(intentId) : undefined;
  if (!intent || intent.customerId !== account?.customerId) {
    throw new AppError('NOT_FOUND', 'There is no such payment.');
  }
  return { ...(await sync(billing, subscriber)), paymentStatus: intent.status };
}
