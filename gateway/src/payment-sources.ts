import { isLoopback } from '@casewatch/service-kit/settings/loopback';

/** Sources beyond our own and Stripe's, such as a payment simulator on another port. */
export interface ExtraSources {
  script?: readonly string[];
  connect?: readonly string[];
  frame?: readonly string[];
}

/**
 * What Stripe.js needs of a page: Stripe's integration security guide, "Content security policy", for Stripe.js, which starts frames
 * on hosts below its own and opens redirects in `hooks`, and the frames of Link, which the card form may offer.
 */
export const STRIPE_SOURCES = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: [
    'https://js.stripe.com',
    'https://*.js.stripe.com',
    'https://hooks.stripe.com',
    'https://link.com',
    'https://*.link.com',
  ],
} as const;

/** Returns whether an origin is Stripe's or Link's, allowed or not. */
export function isOfStripe(origin: string): boolean {
  return /^https:\/\/([a-z0-9-]+\.)*(stripe\.(com|network)|link\.com)$/.test(origin);
}

/**
 * Returns what pages may load from where payments go, when that is not Stripe itself. Pages of another machine never load anything from the
 * visitor's own, where a program of anyone may listen.
 */
export function paymentSources(settings: {
  STRIPE_API_BASE?: string | undefined;
  STRIPE_SCRIPT_URL?: string | undefined;
  PUBLIC_URL: string;
}): ExtraSources {
  const isHere = isLoopback(new URL(settings.PUBLIC_URL).hostname);
  const script = originOf(settings.STRIPE_SCRIPT_URL, isHere);
  const api = originOf(settings.STRIPE_API_BASE, isHere);
  return { script, connect: [...new Set([...script, ...api])], frame: script };
}

/** Empty for Stripe's own, which are always allowed. */
function originOf(url: string | undefined, isHere: boolean): string[] {
  if (url === undefined) return [];
  const { origin, protocol, hostname } = new URL(url);
  if (!isHere && isLoopback(hostname)) return [];
  return protocol === 'https:' && /^(js|api)\.stripe\.com$/.test(hostname) ? [] : [origin];
}
