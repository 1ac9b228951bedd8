import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ErrorRequestHandler } from 'express';
import { isApiPath, pathOf } from '../request-path.ts';
import { acceptsHtml } from './serve-web.ts';

/** Answers a person whose page was refused by a rate limit in plain text; programs get the JSON error. */
export const explainLimitOnPage: ErrorRequestHandler = (error, req, res, next) => {
  const isLimit = error instanceof AppError && error.code === 'RATE_LIMITED';
  if (!isLimit || isApiPath(pathOf(req)) || !acceptsHtml(req)) return next(error);
  const seconds = error.retryAfterSeconds ?? 1;
  res
    .status(error.status)
    .set({
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(seconds),
    })
    .end(
      `Casewatch has received too many requests from your network.\nWait ${seconds} seconds, then reload this page.\n`,
    );
};
