import http from 'node:http';
import https from 'node:https';
import Stripe from 'stripe';

/** The version whose shapes the code is written against; it moves with the SDK. */
export const API_VERSION = '2026-10-28.endive';

/** A failed request is retried once under the same idempotency key. */
const RETRIES = 1;

export interface StripeClientOptions {
  secretKey: string;
  /** Origin of the API: Stripe's own, or a compatible server. */
  apiBase: string;
  timeoutMs: number;
}

/** Creates the SDK for the API's origin, behind HTTPS_PROXY where NO_PROXY does not name it; `close` ends its idle connections. */
export function createStripeClient({ secretKey, apiBase, timeoutMs }: StripeClientOptions) {
  const { protocol, hostname, port } = new URL(apiBase);
  const secure = protocol === 'https:';
  const httpAgent = secure
    ? new https.Agent({ keepAlive: true, proxyEnv: process.env })
    : new http.Agent({ keepAlive: true });
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    protocol: secure ? 'https' : 'http',
    host: hostname,
    port: port || (secure ? 443 : 80),
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    httpAgent,
    appInfo: { name: 'casewatch' },
  });
  return { stripe, close: () => httpAgent.destroy() };
}
