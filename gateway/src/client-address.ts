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

/** An IPv4 address that a dual-stack socket shows as IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
