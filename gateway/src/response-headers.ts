import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { namedByConnection } from './request-headers.ts';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and those that reveal how a service is built. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'date',
  'server',
  'x-powered-by',
  'x-request-id',
]);

/** Copies the headers of a service's answer, except hop-by-hop ones and those that only the gateway sets. */
export function copyResponseHeaders(
  headers: IncomingHttpHeaders,
  res: ServerResponse,
  ownHeaders: ReadonlySet<string>,
): void {
  const named = namedByConnection(headers.connection);
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || NOT_COPIED.has(name) || ownHeaders.has(name) || named?.has(name)) continue;
    res.setHeader(name, value);
  }
}
