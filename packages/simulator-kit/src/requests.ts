import type { IncomingMessage, ServerResponse } from 'node:http';

const BODY_LIMIT_BYTES = 100_000;

/** Reads the body as text; undefined when it is over 100 kB. Rejects when the caller disconnects before its end. */
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

/** Never answers: resolves when the caller disconnects, and disconnects it when the simulator stops. */
export function holdUntilStop(res: ServerResponse, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const hangUp = () => res.destroy();
    stopping.addEventListener('abort', hangUp, { once: true });
    res.once('close', () => {
      stopping.removeEventListener('abort', hangUp);
      resolve();
    });
    if (stopping.aborted) hangUp();
  });
}
