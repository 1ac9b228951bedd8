import { randomBytes } from 'node:crypto';
import { startPaymentsSimulator } from '@casewatch/payments-simulator/payments-simulator';

/**
 * Starts the payments simulator on loopback, with keys made for this start.
 * @param publicUrl where browsers reach it, when that is not where it listens
 * @param stateFile keeps customers and subscriptions over restarts, as the database does the rest
 */
export async function simulatePayments(options: {
  port: number;
  control?: boolean;
  publicUrl?: string | undefined;
  stateFile: string | undefined;
}) {
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  const publishableKey = `pk_test_${randomBytes(24).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const payments = await startPaymentsSimulator({
    control: true,
    ...options,
    secretKey,
    publishableKey,
    webhookSecret,
  });
  return {
    url: payments.url,
    part: { name: 'payments simulator', stop: payments.stop },
    /** From now on events go to the product at this address; until then they wait. */
    productIsAt: (productUrl: string) => {
      const { origin } = new URL(productUrl.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]'));
      payments.sendWebhooksTo(`${origin}/api/webhooks/stripe`);
    },
    /** Settings that lead the services and browsers to it. */
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: payments.url,
      STRIPE_SCRIPT_URL: payments.scriptUrl,
    },
  };
}
