import type { ErrorBody } from '@casewatch/contracts/error-body';
import { ERROR_STATUS, type ErrorCode } from '@casewatch/contracts/route-contract';
import { isTextKey, serverText, type TextKey, type TextValues } from '@casewatch/contracts/server-text';

export interface AppErrorOptions {
  /** What fills the braces of the text. */
  values?: TextValues | undefined;
  /** Field by field, for VALIDATION. */
  details?: ErrorBody['details'];
  /** What the agency said of it, as plain text; never part of our own. */
  agencyMessage?: string | undefined;
  /** Whole seconds until a retry makes sense; becomes Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A text of which only the English exists: for the admin area and for developers. In Spanish the one of the code is shown. */
export interface EnglishOnly {
  readonly en: string;
  /** Of the text, where another service has written it. */
  readonly messageKey?: string | undefined;
}

/**
 * An error that is meant for the caller: `message` is shown to a person and says what to do next.
 * Everything else that is thrown becomes a 500 whose cause is logged and never shown.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly messageKey: string | undefined;
  readonly values: TextValues | undefined;
  readonly details: ErrorBody['details'];
  readonly agencyMessage: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** Without a text it is that of the code. */
  constructor(code: ErrorCode, text: TextKey | EnglishOnly = code, options: AppErrorOptions = {}) {
    const { messageKey, en } = typeof text === 'string' ? englishText(text, options.values) : text;
    super(en, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.messageKey = messageKey === code ? undefined : messageKey;
    this.values = options.values;
    this.details = options.details;
    this.agencyMessage = options.agencyMessage;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** What an answer, or an item of one, says of the error. */
  get body(): Pick<ErrorBody, 'error' | 'code' | 'messageKey' | 'values' | 'agencyMessage'> {
    const { message, code, messageKey, values, agencyMessage } = this;
    return {
      error: message,
      code,
      ...(messageKey ? { messageKey } : {}),
      ...(values ? { values } : {}),
      ...(agencyMessage ? { agencyMessage } : {}),
    };
  }
}

/** Returns the refusal of one field. */
export function invalidField(path: string, text: TextKey | EnglishOnly): AppError {
  const { messageKey, en } = typeof text === 'string' ? englishText(text) : text;
  const detail = { path, message: en, ...(messageKey ? { messageKey } : {}) };
  return new AppError('VALIDATION', text, { details: [detail] });
}

/** Returns the text that a schema's message stands for: that of a key, or the message itself. */
export function englishText(message: string, values?: TextValues): EnglishOnly {
  if (!isTextKey(message)) return { en: message };
  return { en: serverText('en', { messageKey: message, values }) ?? message, messageKey: message };
}
