import { isIPv4, isIPv6 } from 'node:net';

const SITE_GROUPS = 3;
const SUBSCRIBER_GROUPS = 4;

/** Returns what is limited together: an IPv4 address, or the /64 network that one IPv6 subscriber has at least. */
export function limitKey(address: string): string {
  const groups = ipv6Groups(address);
  if (groups === undefined) return address;
  return mappedIpv4(groups) ?? `${hex(groups.slice(0, SUBSCRIBER_GROUPS))}::/64`;
}

/**
 * Returns the /48 of an IPv6 address, the usual allocation of one site (RFC 6177), which holds
 * 65,536 networks of `limitKey`. Undefined for IPv4.
 */
export function siteKey(address: string): string | undefined {
  const groups = ipv6Groups(address);
  if (groups === undefined || mappedIpv4(groups) !== undefined) return undefined;
  return `${hex(groups.slice(0, SITE_GROUPS))}::/48`;
}

/** Returns the network of an address for the audit trail: an IPv4 /24 or an IPv6 /48. What is no address stays as it is. */
export function addressPrefix(address: string): string {
  const groups = ipv6Groups(address);
  const mapped = groups && mappedIpv4(groups);
  if (groups && mapped === undefined) return `${hex(groups.slice(0, SITE_GROUPS))}::/48`;
  const ipv4 = mapped ?? address;
  return isIPv4(ipv4) ? ipv4.replace(/\.\d+$/, '.0/24') : address;
}

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291, 2.2). */
function ipv6Groups(address: string): number[] | undefined {
  // A colon is all that an IPv4 address lacks: the pattern of IPv6 is long, and this is asked for each request.
  if (!address.includes(':') || !isIPv6(address)) return undefined;
  const [head = '', tail] = withoutDots(address.replace(/%.*/, '')).split('::');
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The last 32 bits, where they are written as IPv4, as two groups. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
    return hex([a * 256 + b, c * 256 + d]);
  });
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** An IPv4 client as a dual-stack socket shows it (RFC 4291, 2.5.5.2). */
function mappedIpv4([a, b, c, d, e, f, high = 0, low = 0]: readonly number[]): string | undefined {
  if (f !== 0xffff || [a, b, c, d, e].some((group) => group !== 0)) return undefined;
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function hex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
