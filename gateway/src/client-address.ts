import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns where a request comes from: the socket's other end, or with `trustedHops` reverse proxies of our own before us
 * the entry that the outermost of them wrote into X-Forwarded-For. What stands left of it is the client's claim.
 */
export function clientAddress(req: IncomingMessage, trustedHops: number): string {
  const peer = plain(req.socket.remoteAddress ?? '');
  const header = req.headers['x-forwarded-for'];
  if (trustedHops === 0 || header === undefined) return peer;
  const entries = String(header).split(',');
  const entry = entries[Math.max(0, entries.length - trustedHops)]?.trim() ?? '';
  const address = withoutPort(entry);
  return isIP(address) ? plain(address) : peer;
}

/** Some proxies write the port as well, as Azure's Application Gateway does: `203.0.113.1:50123`, `[2001:db8::1]:50123`. */
function withoutPort(entry: string): string {
  const [, bracketed, dotted] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?$/i.exec(entry) ?? [];
  return bracketed ?? dotted ?? entry;
}

/** An IPv4 address that a dual-stack socket shows as IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
