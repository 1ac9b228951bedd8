import type { IncomingHttpHeaders } from 'node:http';

/** Headers with a meaning inside the product, or that identify the client: removed when a client sends them. */
const FORGEABLE = new Set([
  'authorization',
  'forwarded',
  'x-real-ip',
  'true-client-ip',
  'x-request-id',
  'traceparent',
  'tracestate',
  'baggage',
]);
const FORGEABLE_PREFIXES = ['x-casewatch-', 'x-user-', 'x-forwarded-', 'x-internal-'];

/** Headers that end at the next connection (RFC 9110, 7.6.1), and `expect`, which this server has answered. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** They say where the message ends: a client that could remove them by naming them in Connection could smuggle. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'host']);

/**
 * Returns the client's headers without what it could forge and without what belongs to its own connection. The cookie
 * stays only when asked for.
 */
export function cleanHeaders(headers: IncomingHttpHeaders, keepCookie: boolean): IncomingHttpHeaders {
  const named = namedByConnection(headers.connection);
  const clean: IncomingHttpHeaders = {};
  for (const name of Object.keys(headers)) {
    if (HOP_BY_HOP.has(name) || isForgeable(name) || named?.has(name)) continue;
    if (name === 'cookie' && !keepCookie) continue;
    clean[name] = headers[name];
  }
  return clean;
}

function isForgeable(name: string): boolean {
  if (FORGEABLE.has(name)) return true;
  return name.startsWith('x-') && FORGEABLE_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Returns the headers that a message's Connection header names as its own connection's, without those that frame it. */
export function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !FRAMING.has(name)));
}
