import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useQuery } from '@tanstack/react-query';
import { type BillingConfig, readBillingConfig } from '../../api/billing.ts';
import { paymentLocale } from './payment-appearance.ts';

/** Returns the payment provider's script and what the server says about payments; loaded once, again on `retry` when it failed. */
export function usePaymentProvider() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['billing', 'provider'],
    queryFn: async ({ signal }) => {
      const config = await readBillingConfig(signal);
      const { testPayments, trialDays } = config;
      return { stripe: await loadPaymentProvider(config), testPayments, trialDays };
    },
  });
  return { provider: data, hasFailed: data === undefined && !isFetching, error, retry: () => void refetch() };
}

/** A connection that brings nothing for this time counts as broken. */
const TIMEOUT_MS = 20_000;

/**
 * Loads the payment provider's script, from its own address or from the one that is configured, and gives the
 * provider. Throws when it does not come; another call tries again.
 */
export async function loadPaymentProvider(config: BillingConfig): Promise<Stripe> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The payment script takes too long')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(config), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function load({ scriptUrl, publishableKey }: BillingConfig): Promise<Stripe> {
  // A script that defines window.Stripe is what the loader takes in place of its own address.
  if (scriptUrl !== null && window.Stripe === undefined) await runScript(scriptUrl);
  // For what the provider says about cards; its form follows a change of the language, too.
  const stripe = await loadStripe(publishableKey, { locale: paymentLocale() });
  if (stripe === null) throw new Error('The payment script can only run in a browser');
  return stripe;
}

function runScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
    document.head.append(script);
  });
}
