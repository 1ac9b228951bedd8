import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../runtime/logger.ts';

/**
 * Streams the pieces as fast as the reader takes them, until it disconnects. A failure closes the connection, so that a
 * partial file is not taken for a whole one. Never rejects.
 */
export async function sendPieces(
  pieces: AsyncIterable<string>,
  out: Writable,
  logger: Logger,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), out);
  } catch (error) {
    const isDisconnected =
      error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isDisconnected) logger.error({ err: error }, 'http: download failed, closing the connection');
  }
}
