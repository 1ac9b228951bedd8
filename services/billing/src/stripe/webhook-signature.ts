import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import Stripe from 'stripe';
import type { WebhookResult } from '../billing-metrics.ts';
import type { ProviderEvent } from '../domain/store.ts';
import { idOf } from './references.ts';
import { API_VERSION } from './stripe-client.ts';

/** Older signatures are refused to prevent replays (Stripe: "Webhook signatures"). */
const TOLERANCE_SECONDS = 300;
/** Events of these kinds can change what a user is entitled to, or is charged to. */
const RELEVANT =
  /^(customer\.(deleted|updated)$|customer\.subscription\.|payment_method\.(attached|detached)$|invoice\.|payment_intent\.|setup_intent\.|charge\.refund|refund\.|charge\.dispute\.)/;

/**
 * Creates a function that reads the event in a signed body; undefined for an irrelevant one. Accepts signatures by any of `secrets`, so that
 * one can be rotated without losing events.
 * @throws AppError INVALID_SIGNATURE, when it reads
 */
export function createWebhookReader(
  secrets: readonly string[],
  { clock, count }: { clock: Clock; count: (result: WebhookResult) => void },
) {
  return (body: Uint8Array, signature: string | undefined): ProviderEvent | undefined => {
    const event = verified(body, signature);
    count(event.api_version === API_VERSION ? 'accepted' : 'other-version');
    return RELEVANT.test(event.type) ? readEvent(event) : undefined;
  };

  function verified(body: Uint8Array, signature: string | undefined): Stripe.Event {
    let reason: unknown;
    for (const secret of secrets) {
      try {
        return Stripe.webhooks.constructEvent(
          body,
          signature ?? '',
          secret,
          TOLERANCE_SECONDS,
          undefined,
          clock.nowMs(),
        );
      } catch (error) {
        reason = error;
      }
    }
    count('refused');
    throw new AppError('INVALID_SIGNATURE', 'INVALID_SIGNATURE', { cause: reason });
  }
}

/** Reads only the customer: the state is read from Stripe. */
function readEvent({ id, type, data }: Stripe.Event): ProviderEvent {
  const object: unknown = data.object;
  const isCustomer = type === 'customer.deleted' || type === 'customer.updated';
  // A detached payment method names its customer only as the one that it had.
  const customerId = isCustomer
    ? textOf(object, 'id')
    : (textOf(object, 'customer') ?? textOf(data.previous_attributes, 'customer'));
  return {
    id,
    type,
    customerId,
    paymentIntentId: customerId === undefined ? textOf(object, 'payment_intent') : undefined,
  };
}

/** Returns a reference in the object, expanded or not. */
function textOf(object: unknown, field: string): string | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  const value = new Map<string, unknown>(Object.entries(object)).get(field);
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? (idOf(value.id) ?? undefined) : undefined;
}
