import type { ErrorBody } from '@casewatch/contracts/error-body';
import { faultOf } from '@casewatch/contracts/route-contract';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError } from '../errors/app-error.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import type { Logger } from '../runtime/logger.ts';
import { FAULT_HEADER, REQUEST_ID_HEADER } from './internal-headers.ts';

const RETRY_AFTER_SECONDS = 5;

/** Answers with the JSON 404 for addresses that no route has. */
export const notFound: RequestHandler = (_req, _res, next) => {
  next(new AppError('NOT_FOUND'));
};

/**
 * Maps every error to the one error body. Unknown errors are logged whole, and answered as UNAVAILABLE where a dependency
 * is to blame, else as INTERNAL.
 */
export function createErrorMiddleware(logger: Logger): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const requestId = req.get(REQUEST_ID_HEADER) ?? '';
    const known = toAppError(error);
    const shown = known ?? unknownError(error);
    if (!known) logUnknown(error, shown, requestId);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const fault = faultOf(shown);
    if (fault) res.set(FAULT_HEADER, fault);
    else res.removeHeader(FAULT_HEADER);
    if (shown.retryAfterSeconds !== undefined) res.set('Retry-After', String(shown.retryAfterSeconds));
    const body: ErrorBody = { ...shown.body, requestId };
    if (shown.details) body.details = shown.details;
    res.set('Cache-Control', 'no-store').status(shown.status).json(body);
  };

  function logUnknown(error: unknown, { code }: AppError, requestId: string): void {
    if (code === 'UNAVAILABLE') {
      logger.warn({ err: error, requestId }, 'http: dependency unavailable, answering 503');
    } else {
      logger.error({ err: error, requestId }, 'http: request failed, answering 500');
    }
  }
}

function unknownError(error: unknown): AppError {
  if (!isUnavailable(error)) return new AppError('INTERNAL');
  return new AppError('UNAVAILABLE', 'UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Recognizes our own errors and those of Express's parsers (http-errors carry `type` and `status`). */
function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || !('type' in error)) {
    return error instanceof URIError
      ? new AppError('BAD_REQUEST', { en: 'The address has a malformed % sequence.' })
      : undefined;
  }
  switch (error.type) {
    case 'entity.parse.failed':
      return new AppError('BAD_REQUEST', { en: 'The body is not valid JSON.' });
    case 'entity.too.large':
      return new AppError('BODY_TOO_LARGE');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', {
        en: 'Send the body as UTF-8 JSON without an unusual encoding.',
      });
    case 'request.aborted':
    case 'request.size.invalid':
    case 'entity.verify.failed':
      return new AppError('BAD_REQUEST', { en: 'The body is incomplete.' });
    default:
      return undefined;
  }
}
