import { useQuery } from '@tanstack/react-query';
import { readBillingConfig } from '../../api/billing.ts';
import { loadPaymentProvider } from './load-payment-provider.ts';

/** Returns the payment provider's script and what the server says about payments; loaded once, again on `retry` when it failed. */
export function usePaymentProvider() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['billing', 'provider'],
    queryFn: async ({ signal }) => {
      const config = await readBillingConfig(signal);
      const { testPayments, trialDays } = config;
      return { stripe: await loadPaymentProvider(config), testPayments, trialDays };
    },
    networkMode: 'always',
  });
  return { provider: data, hasFailed: data === undefined && !isFetching, error, retry: () => void refetch() };
}
