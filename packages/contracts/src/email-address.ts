import { z } from 'zod';
import { EMAIL_MAX_LENGTH } from './limits.ts';

/** RFC 5321, 4.5.3.1.1. */
const LOCAL_PART = /^[^@]{1,64}@/;
/** Mail goes to a domain with a dot in it, and not to the number of a machine. */
const DOMAIN = /@[^@]*\.(?!\d+$)[^@.]+$/;
/** What the domain name of a URL may hold but that of an address may not. */
const NOT_IN_DOMAINS = /[\s\0-,/:-@[-`{-~]/;

/** For the OpenAPI document: the rule of the HTML standard. */
export const EMAIL_PATTERN = z.regexes.html5Email.source;

/**
 * Returns true for an address that a browser takes (HTML standard, "valid email address"), in a domain of the Internet.
 * Domain names of all scripts are taken in the form that `asciiAddress` gives.
 */
export function isEmailAddress(text: string): boolean {
  return (
    text.length <= EMAIL_MAX_LENGTH &&
    z.regexes.html5Email.test(text) &&
    LOCAL_PART.test(text) &&
    DOMAIN.test(text)
  );
}

/** Returns an address with its domain name as mail servers know it: `ana@bücher.example` is `ana@xn--bcher-kva.example` (UTS 46). */
export function asciiAddress(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  if (!/[\u0080-\uffff]/.test(domain) || NOT_IN_DOMAINS.test(domain)) return text;
  try {
    return text.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    // Not a domain name; Safari before 17 can't be asked without this.
    return text;
  }
}
