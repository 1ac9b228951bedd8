import { StripeError } from '../stripe-error.ts';

const KEPT_SECONDS = 24 * 3_600;
const LONGEST_KEY = 255;

export interface StoredAnswer {
  status: number;
  body: string;
}

interface Entry {
  path: string;
  params: string;
  atSeconds: number;
  /** Undefined while the first request is under way. */
  answer: StoredAnswer | undefined;
}

/** Answers of requests that carried an `Idempotency-Key`, for a day. */
export interface IdempotencyKeys {
  /**
   * The stored answer of an earlier request with this key; undefined when the caller is the first and must end with
   * `finish`. @throws StripeError when the key was used for something else or its first request is under way.
   */
  begin(key: string, request: { path: string; params: string }, atSeconds: number): StoredAnswer | undefined;
  /** Without an answer the key is free again: nothing was executed. */
  finish(key: string, answer: StoredAnswer | undefined): void;
  entries(): [string, Entry][];
  clear(): void;
}

export function createIdempotencyKeys(kept: readonly [string, Entry][] = []): IdempotencyKeys {
  const used = new Map<string, Entry>(kept);

  function forgetOld(atSeconds: number): void {
    for (const [key, entry] of used) {
      if (entry.answer && atSeconds - entry.atSeconds >= KEPT_SECONDS) used.delete(key);
    }
  }

  return {
    begin: (key, { path, params }, atSeconds) => {
      if (key.length > LONGEST_KEY) {
        throw idempotencyError(400, `Idempotency keys can be at most ${LONGEST_KEY} characters long.`);
      }
      forgetOld(atSeconds);
      const earlier = used.get(key);
      if (!earlier) {
        used.set(key, { path, params, atSeconds, answer: undefined });
        return undefined;
      }
      if (earlier.path !== path) {
        throw idempotencyError(
          400,
          `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${earlier.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      if (earlier.params !== params) {
        throw idempotencyError(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      if (!earlier.answer) {
        throw idempotencyError(
          409,
          `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
          'idempotency_key_in_use',
        );
      }
      return earlier.answer;
    },
    finish: (key, answer) => {
      const entry = used.get(key);
      if (answer && entry) entry.answer = answer;
      else used.delete(key);
    },
    clear: () => used.clear(),
    entries: () => [...used].filter(([, { answer }]) => answer !== undefined),
  };
}

function idempotencyError(status: number, message: string, code?: string): StripeError {
  return new StripeError(status, {
    type: 'idempotency_error',
    message,
    ...(code === undefined ? {} : { code }),
  });
}
