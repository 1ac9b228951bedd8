import type { IncomingMessage } from 'node:http';

const BODY_LIMIT_BYTES = 100_000;

/** The body as text; undefined when it is over 100 kB. Rejects when the caller goes away before its end. */
export async function readBody(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    // Reading on to the end keeps the connection in order for the answer.
    if (size <= BODY_LIMIT_BYTES) chunks.push(bytes);
    else chunks.length = 0;
  }
  return size <= BODY_LIMIT_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined;
}
