import type { IncomingMessage } from 'node:http';

const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?$/i;

/**
 * True for a call from this machine that also means this machine: the Host header keeps out web pages that reach
 * loopback under a name of their own (DNS rebinding).
 */
export function isOwnMachine(req: IncomingMessage): boolean {
  return LOOPBACK_ADDRESS.test(req.socket.remoteAddress ?? '') && LOOPBACK_HOST.test(req.headers.host ?? '');
}
