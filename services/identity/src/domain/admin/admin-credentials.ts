import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Guess } from '../limits/counted-check.ts';
import { canonical, type PasswordHasher } from '../password/password-hasher.ts';
import { newDeviceKey } from '../session/device.ts';
import { hashRecoveryCode, matchingStep, newRecoveryCodes, newTotpKey } from './one-time-codes.ts';

/** What an administrator signs in with, as it is stored. */
export interface Credentials {
  readonly passwordHash: string;
  readonly sealedTotpKey: string;
  readonly deviceKey: string;
}

/** What the second factor was: a time step of the app, or a recovery code. Each counts once. */
export type SecondFactor = { step: number } | { recoveryHash: string };

/** Credentials for a new password and key of one-time codes, and the recovery codes to be shown once. */
export async function newCredentials(hasher: PasswordHasher, given: { password: string; totpKey: string }) {
  const { codes, hashes } = newRecoveryCodes();
  const credentials: Credentials = {
    passwordHash: await hasher.hash(given.password),
    sealedTotpKey: await seal(given.totpKey, given.password),
    deviceKey: newDeviceKey(),
  };
  return { credentials, recoveryCodes: codes, recoveryHashes: hashes };
}

/**
 * Checks password and code as one counted guess, so that neither can be guessed alone; `use` takes the code, and says
 * whether it was still there to be taken. Costs the same whatever is wrong, and without credentials.
 */
export function checkCredentials(
  hasher: PasswordHasher,
  credentials: Credentials | undefined,
  given: { password: string; code: string; nowMs: number },
  use: (factor: SecondFactor) => Promise<boolean>,
): (guess: Guess) => Promise<boolean> {
  const { password, code, nowMs } = given;
  return (guess) =>
    guess.count(async () => {
      const isPassword = await hasher.verify(credentials?.passwordHash, password);
      const key = await unseal(credentials?.sealedTotpKey ?? (await decoy), password);
      if (!isPassword || key === undefined) return false;
      const step = matchingStep(key, code, nowMs);
      return use(step === undefined ? { recoveryHash: hashRecoveryCode(code) } : { step });
    });
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);

/** Encrypts a text with a key that is made of the password: salt, nonce, tag and cipher text, base64url. */
async function seal(text: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, await deriveKey(canonical(password), salt, KEY_BYTES), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined for another password. */
async function unseal(sealed: string, password: string): Promise<string | undefined> {
  const bytes = Buffer.from(sealed, 'base64url');
  const [ivAt, tagAt, textAt] = [SALT_BYTES, SALT_BYTES + IV_BYTES, SALT_BYTES + IV_BYTES + TAG_BYTES];
  const key = await deriveKey(canonical(password), bytes.subarray(0, ivAt), KEY_BYTES);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(ivAt, tagAt));
  decipher.setAuthTag(bytes.subarray(tagAt, textAt));
  const text = decipher.update(bytes.subarray(textAt));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** What the passwords of unknown accounts are tried on. */
const decoy = seal(newTotpKey(), randomBytes(KEY_BYTES).toString('base64url'));
