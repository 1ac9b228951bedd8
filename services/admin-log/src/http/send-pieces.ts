import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@casewatch/service-kit/runtime/logger';

/**
 * Writes the pieces at the pace of the reader, and asks for no more once it is gone. What fails half-way breaks the
 * connection off: half a file must not look whole. Resolves when it is over, however it ended.
 */
export async function sendPieces(
  pieces: AsyncGenerator<string>,
  out: Writable,
  logger: Logger,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), out);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) logger.error({ err: error }, 'an export broke off');
  }
}
