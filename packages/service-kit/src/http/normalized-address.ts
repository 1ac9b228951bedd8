import { domainToASCII } from 'node:url';

interface MailProvider {
  /** Its domains: a mailbox has an address in each. */
  readonly domains: readonly string[];
  /** What makes no difference in the part before the `@`. */
  readonly ignored: RegExp;
}

/** Gmail ignores dots (Gmail Help, "Dots don't matter in Gmail addresses"); Proton dots, hyphens and underscores. */
const PROVIDERS: readonly MailProvider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];

/**
 * Returns one text for all spellings of a mailbox: case, Unicode forms (NFKC) and the ways to write a domain make no difference, and
 * neither does what follows a `+` (RFC 5233), whatever the provider: where it does, people share a limit or a trial and nothing else.
 * Dots count, except where the provider is known to ignore them.
 */
export function normalizedAddress(address: string): string {
  const text = address.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  const at = text.lastIndexOf('@');
  if (at < 1) return text;
  const typedDomain = text.slice(at + 1).replace(/\.+$/, '');
  const domain = domainToASCII(typedDomain) || typedDomain;
  const local = text.slice(0, at);
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const untagged = local.replace(/(?<=.)\+.*$/s, '');
  const mailbox = provider ? untagged.replace(provider.ignored, '') : untagged;
  return `${mailbox || untagged}@${provider?.domains[0] ?? domain}`;
}
