import { isLoopback } from '@casewatch/service-kit/settings/loopback';
import type { ExtraSources } from './security-headers.ts';

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
