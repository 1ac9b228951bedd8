import { ERROR_STATUS, type ErrorCode } from '@casewatch/contracts/route-contract';

export interface AppErrorOptions {
  /** Field by field, for VALIDATION. */
  details?: { path: string; message: string }[];
  /** Whole seconds until a retry makes sense; becomes Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * An error that is meant for the caller: `message` is shown to a person and says what to do next.
 * Everything else that is thrown becomes a 500 whose cause is logged and never shown.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: { path: string; message: string }[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
