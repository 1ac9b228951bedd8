import { LANGUAGE_COOKIE, type Language, preferredLanguage } from '@casewatch/contracts/languages';
import { deviceName } from '@casewatch/service-kit/http/device-name';
import { limitKey, siteKey } from '@casewatch/service-kit/http/limit-key';
import type { RequestFacts } from '@casewatch/service-kit/http/route';
import type { Browser, Client } from '../domain/session/device.ts';

export function clientOf(request: RequestFacts): Client {
  return { address: request.address, browser: browserOf(request), language: languageOf(request) };
}

/** Returns what a person recognizes the browser of a request by; a hint, since a client may call itself anything. */
export function browserOf({ userAgent, address }: Pick<RequestFacts, 'userAgent' | 'address'>): Browser {
  return { device: deviceName(userAgent ?? ''), network: networkOf(address) };
}

/** Returns the language that was chosen on the device of a request, else the one that its browser asks for. */
export function languageOf({ cookies, languages }: Pick<RequestFacts, 'cookies' | 'languages'>): Language {
  return preferredLanguage([cookies[LANGUAGE_COOKIE] ?? '', ...(languages?.() ?? [])]);
}

/** Enough to recognize a place by, and no address of one person. */
function networkOf(address: string): string {
  return siteKey(address) ?? limitKey(address).replace(/\.\d+$/, '.0/24');
}
