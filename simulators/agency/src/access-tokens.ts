import { randomBytes } from 'node:crypto';

/** A token lives half an hour. */
export const TOKEN_LIFETIME_MS = 30 * 60_000;
/** The oldest are dropped beyond this, so that a client that asks in a loop does not fill the memory. */
const TOKENS_KEPT = 10_000;

export interface AccessTokens {
  issue(atMs: number): string;
  isValid(token: string, atMs: number): boolean;
  /** How many were issued since the start or the last reset of the counters. */
  issued(): number;
  /** Ends every token at once, as when the agency rotates keys. */
  revokeAll(): void;
  resetCount(): void;
}

export function createAccessTokens(): AccessTokens {
  const issuedAtMs = new Map<string, number>();
  let count = 0;
  return {
    issue: (atMs) => {
      const token = randomBytes(21).toString('base64url');
      issuedAtMs.set(token, atMs);
      count += 1;
      for (const [oldest, oldestMs] of issuedAtMs) {
        if (issuedAtMs.size <= TOKENS_KEPT && atMs - oldestMs < TOKEN_LIFETIME_MS) break;
        issuedAtMs.delete(oldest);
      }
      return token;
    },
    isValid: (token, atMs) => {
      const since = issuedAtMs.get(token);
      return since !== undefined && atMs - since < TOKEN_LIFETIME_MS;
    },
    issued: () => count,
    revokeAll: () => issuedAtMs.clear(),
    resetCount: () => {
      count = 0;
    },
  };
}
