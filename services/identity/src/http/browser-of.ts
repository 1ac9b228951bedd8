import { limitKey, siteKey } from '@casewatch/service-kit/http/limit-key';
import type { RequestFacts } from '@casewatch/service-kit/http/route';
import type { Browser } from '../domain/device.ts';

/** What a person recognizes the browser of a request by; a hint, since a client may call itself anything. */
export function browserOf({ userAgent, address }: Pick<RequestFacts, 'userAgent' | 'address'>): Browser {
  return { device: deviceName(userAgent ?? ''), network: networkOf(address) };
}

/** The first that fits: browsers name the others that they are compatible with. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

function deviceName(userAgent: string): string {
  const find = (known: readonly [RegExp, string][]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

/** Enough to recognize a place by, and no address of one person. */
function networkOf(address: string): string {
  return siteKey(address) ?? limitKey(address).replace(/\.\d+$/, '.0/24');
}
