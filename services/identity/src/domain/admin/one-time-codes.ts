import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as authenticator apps have it: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30;
/** Steps before and after the present one, for clocks that differ and people who type slowly (RFC 6238, 5.2). */
const WINDOW = 1;
const KEY_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Returns a new key: base32, 160 bits. */
export function newTotpKey(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/** Returns the key as an authenticator app reads it from a QR code. */
export function totpUri(key: string, email: string): string {
  return totp(key, email).toString();
}

/** Returns the time step that a code is for; undefined for a wrong one. A step must be taken once only (RFC 6238, 5.2). */
export function matchingStep(key: string, code: string, nowMs: number): number | undefined {
  const delta = totp(key).validate({ token: compact(code), timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}

function totp(key: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Casewatch admin', label, secret: key, period: PERIOD_SECONDS });
}

/** Codes for when the authenticator app is lost, 80 random bits each, and what is stored of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32;
    return letters.replace(/.{4}(?=.)/g, '$&-');
  });
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(compact(code).toUpperCase()).digest('hex');
}

/** Without the spaces and hyphens in which codes are shown. */
const compact = (code: string) => code.replace(/[\s-]/g, '');
