import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';

/** Where a control API may be used from. */
export type ControlFrom = 'nowhere' | 'this-machine' | 'anywhere';

/** Reads `true` as this machine and `false` as nowhere. */
export function controlFrom(given: boolean | ControlFrom): ControlFrom {
  if (typeof given === 'string') return given;
  return given ? 'this-machine' : 'nowhere';
}

export function mayControl(req: IncomingMessage, from: ControlFrom): boolean {
  return from === 'anywhere' || (from === 'this-machine' && isOwnMachine(req));
}

const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?$/i;

/**
 * True for a call from this machine that also means this machine: the Host header keeps out web pages that reach
 * loopback under a name of their own (DNS rebinding).
 */
function isOwnMachine(req: IncomingMessage): boolean {
  return LOOPBACK_ADDRESS.test(req.socket.remoteAddress ?? '') && LOOPBACK_HOST.test(req.headers.host ?? '');
}

export type ReadCommand<T> = { command: T } | { status: 400 | 415; problem: string };

/**
 * Reads the command in the body of a request to a control API. Requires a JSON content type because a web page cannot
 * send one to another origin without permission.
 */
export function readCommand<S extends z.ZodType>(
  { contentType, body }: { contentType: string | undefined; body: string },
  schema: S,
): ReadCommand<z.output<S>> {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    return { status: 415, problem: 'Send the command as application/json' };
  }
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { status: 400, problem: 'The body is not valid JSON' };
  }
  const command = schema.safeParse(json);
  if (command.success) return { command: command.data };
  const problems = command.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  return { status: 400, problem: problems.join('; ') };
}
