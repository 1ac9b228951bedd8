import type { ErrorCode } from '@casewatch/contracts/route-contract';
import { serverText } from '../lib/server-texts.ts';

/** One field the server refused: the name of the field, and a text for the user. */
export interface RefusedField {
  path: string;
  message: string;
  messageKey?: unknown;
}

interface Refusal {
  status: number;
  /** The answer's body as text. */
  text: string;
  statusText: string;
  retryAfterSeconds: number | undefined;
}

/**
 * An answer of the server that is not a success.
 * `message` is `<status>: <body, or the status text when the body is empty>`; show `serverMessage` to people.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The server's error code, where it gave one. */
  readonly code: ErrorCode | undefined;
  /** The server's `error` string, else its `message`, in the language of the page; undefined when it gave neither. */
  readonly serverMessage: string | undefined;
  /** What the text says of this case. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the agency said, in its own words: never shown as ours. */
  readonly agencyMessage: string | undefined;
  readonly details: readonly RefusedField[];
  /** By what the server's log knows the request. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before the next try. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, text, statusText, retryAfterSeconds }: Refusal) {
    super(`${status}: ${text || statusText}`);
    const body = parseObject(text);
    this.status = status;
    // A code this build does not know is no harm: it is only ever compared with known ones.
    this.code = nonEmptyText(body.code) as ErrorCode | undefined;
    const error = nonEmptyText(body.error) ?? nonEmptyText(body.message);
    this.serverMessage = error && serverText({ ...body, error });
    this.values = typeof body.values === 'object' && body.values !== null ? { ...body.values } : {};
    this.agencyMessage = nonEmptyText(body.agencyMessage);
    this.details = Array.isArray(body.details)
      ? body.details
          .filter(isRefusedField)
          .map((field) => ({ ...field, message: serverText({ ...field, error: field.message }) }))
      : [];
    this.requestId = nonEmptyText(body.requestId);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function hasCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** Returns the text for the user: the server's own words, else `fallback`, never a browser's technical message. */
export function failureText(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverMessage) || fallback;
}

/** Returns the id of a request that failed on the server's side; undefined for what the person can put right alone. */
export function referenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
}

interface LooseBody {
  requestId?: unknown;
  code?: unknown;
  error?: unknown;
  message?: unknown;
  messageKey?: unknown;
  values?: unknown;
  agencyMessage?: unknown;
  details?: unknown;
}

function parseObject(text: string): LooseBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Proxies answer in HTML or plain text: such a body has nothing to say to people.
    return {};
  }
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRefusedField(value: unknown): value is RefusedField {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
