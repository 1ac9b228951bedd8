import type { ExtraSources } from './security-headers.ts';

/** What pages may load from where payments go, when that is not Stripe itself. */
export function paymentSources(settings: {
  STRIPE_API_BASE?: string | undefined;
  STRIPE_SCRIPT_URL?: string | undefined;
}): ExtraSources {
  const script = originOf(settings.STRIPE_SCRIPT_URL);
  const api = originOf(settings.STRIPE_API_BASE);
  return { script, connect: [...new Set([...script, ...api])], frame: script };
}

/** Empty for Stripe's own, which are always allowed. */
function originOf(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { origin, protocol, hostname } = new URL(url);
  return protocol === 'https:' && /^(js|api)\.stripe\.com$/.test(hostname) ? [] : [origin];
}
