import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Where a request comes from: the socket's other end, or with `trustedHops` reverse proxies of our own before us
 * the entry that the outermost of them wrote into X-Forwarded-For. What stands left of it is the client's claim.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const peer = plain(req.socket.remoteAddress ?? '');
  const header = req.headers['x-forwarded-for'];
  if (trustedHops === 0 || header === undefined) return peer;
  const entries = String(header).split(',');
  const entry = entries[Math.max(0, entries.length - trustedHops)]?.trim() ?? '';
  return isIP(entry) ? plain(entry) : peer;
}

/** What is limited together: an IPv4 address, or the /64 network that one IPv6 subscriber has at least. */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...new Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** An IPv4 address that a dual-stack socket shows as IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
