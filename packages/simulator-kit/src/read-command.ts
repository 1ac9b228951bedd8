import type { z } from 'zod';

export type ReadCommand<T> = { command: T } | { status: 400 | 415; fault: string };

/**
 * The command in the body of a request to a control API, or why there is none. A JSON content type is asked for because
 * a web page can't send one to another origin without its leave.
 */
export function readCommand<S extends z.ZodType>(
  { contentType, body }: { contentType: string | undefined; body: string },
  schema: S,
): ReadCommand<z.output<S>> {
  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    return { status: 415, fault: 'Send the command as application/json' };
  }
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { status: 400, fault: 'The body is not valid JSON' };
  }
  const command = schema.safeParse(json);
  if (command.success) return { command: command.data };
  const faults = command.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  return { status: 400, fault: faults.join('; ') };
}
