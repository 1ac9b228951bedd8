import type Stripe from 'stripe';
import { CustomerNotFound, type Provider, ProviderRefusal, paymentsUnavailable } from '../domain/provider.ts';
import type { StripeCalls } from './stripe-calls.ts';

/** Returns the parameters with which Stripe Tax computes the taxes of a subscription or a preview. */
export function automaticTax(isOn: boolean): { automatic_tax?: { enabled: true } } {
  return isOn ? { automatic_tax: { enabled: true } } : {};
}

/** Returns whether a price says of itself that it is with tax where all are taken to be without it, or the other way around. */
export function contradictsTax(
  { tax_behavior }: Stripe.Price,
  tax: Stripe.Price.TaxBehavior | undefined,
): boolean {
  return tax !== undefined && /^(exclusive|inclusive)$/.test(tax_behavior ?? '') && tax_behavior !== tax;
}

/** What Stripe Tax needs to know of a customer, and what it computes. */
export function ofTaxes(stripe: Stripe, { ask, find, make }: StripeCalls) {
  async function hasPlace(id: string): Promise<boolean> {
    const customer = await find(() => stripe.customers.retrieve(id, { expand: ['tax'] }));
    if (!customer || customer.deleted) throw new CustomerNotFound('no such customer');
    return /^(supported|not_collecting)$/.test(customer.tax?.automatic_tax ?? '');
  }

  return {
    hasPlace,

    async placeCustomer(id, { country, postalCode }) {
      const address = { country, postal_code: postalCode };
      try {
        // Stripe checks the address right away, and refuses one for which it cannot compute taxes.
        await make(() => stripe.customers.update(id, { address, tax: { validate_location: 'immediately' } }));
        return true;
      } catch (error) {
        if (!(error instanceof ProviderRefusal)) throw error;
        if (!error.isOfRequest) throw paymentsUnavailable(error);
        // A customer that is gone is refused as well.
        await hasPlace(id);
        return false;
      }
    },

    async dueOf(customer, { id, latestInvoice, taxed }) {
      const invoice =
        latestInvoice?.status === 'open'
          ? await ask(() => stripe.invoices.retrieve(latestInvoice.id))
          : await ask(() =>
              stripe.invoices.createPreview({ customer, subscription: id, ...automaticTax(taxed ?? false) }),
            );
      return {
        cents: invoice.amount_due,
        taxCents: sumOf(invoice.total_taxes),
        offCents: sumOf(invoice.total_discount_amounts),
      };
    },
  } satisfies Partial<Provider>;
}

function sumOf(parts: readonly { amount: number }[] | null | undefined): number {
  return (parts ?? []).reduce((sum, { amount }) => sum + amount, 0);
}
