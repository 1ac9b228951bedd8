import type { CustomerDoc, SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest } from '../stripe-error.ts';

/** The simulator's seller collects taxes in the United States only. */
const TAXED_COUNTRY = 'US';
const TAX_RATE = 0.08;

/** Returns whether taxes can be computed for an address: of the United States by its ZIP code, of another country by that alone. */
function hasTaxLocation({ address }: Pick<CustomerDoc, 'address'>): boolean {
  if (address?.country === TAXED_COUNTRY) return /^\d{5}(-?\d{4})?$/.test(address.postal_code);
  return /^[A-Z]{2}$/.test(address?.country ?? '');
}

/** Returns whether a customer is said to be where taxes can be computed. */
export function knowsPlace(
  { store, behavior }: PaymentsState,
  customer: Pick<CustomerDoc, 'address'> & { id?: unknown },
): boolean {
  const isTaxed = [...store.subscriptions.values()].some(
    (subscription) => subscription.customer === customer.id && subscription.automatic_tax?.enabled,
  );
  return hasTaxLocation(customer) && (isTaxed || behavior.taxPlace === 'known-at-once');
}

/** @throws StripeError 400 where no taxes can be computed */
export function requireTaxLocation(customer: { address?: CustomerDoc['address'] | undefined }): void {
  if (customer.address && hasTaxLocation({ address: customer.address })) return;
  throw invalidRequest(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    'tax[validate_location]',
    'customer_tax_location_invalid',
  );
}

/** Returns the tax that comes on top of an amount; 0 where the subscription's is not computed. */
export function taxOn({ store }: PaymentsState, subscription: SubscriptionDoc, amount: number): number {
  const customer = store.customers.get(subscription.customer);
  if (!subscription.automatic_tax?.enabled || !customer || 'deleted' in customer) return 0;
  return customer.address?.country === TAXED_COUNTRY ? Math.round(amount * TAX_RATE) : 0;
}
