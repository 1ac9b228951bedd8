import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { BODY_LIMIT_BYTES } from '@casewatch/service-kit/http/service-router';

/**
 * Refuses bodies without a length: chunked ones have none to check, and are where proxies and servers disagree
 * about the end of a message (reliability promise S3). The connection ends with the answer.
 * @throws AppError BAD_REQUEST
 */
export function refuseChunked(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers['transfer-encoding'] === undefined) return;
  res.setHeader('Connection', 'close');
  throw new AppError('BAD_REQUEST', { en: 'Send the body with a Content-Length, not in chunks.' });
}

/**
 * Settles how long the body is before anything reads it.
 * @throws AppError BODY_TOO_LARGE
 */
export function checkSize(req: IncomingMessage): void {
  const length = req.headers['content-length'];
  if (length !== undefined && Number(length) > BODY_LIMIT_BYTES) {
    throw new AppError('BODY_TOO_LARGE');
  }
}
