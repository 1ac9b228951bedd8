import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { namedByConnection } from './clean-headers.ts';

/** One connection's headers (RFC 9110, 7.6.1), and what would tell outsiders about a service's insides. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
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

/** Gives the client what a service says of its answer, but for what belongs to the service's connection or to us. */
export function passOnHeaders(
  headers: IncomingHttpHeaders,
  res: ServerResponse,
  ownHeaders: ReadonlySet<string>,
): void {
  const named = namedByConnection(headers.connection);
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || NOT_PASSED_ON.has(name) || ownHeaders.has(name) || named?.has(name)) continue;
    res.setHeader(name, value);
  }
}
