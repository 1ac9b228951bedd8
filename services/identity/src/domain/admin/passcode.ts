import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import { canonical } from '../password/password-hasher.ts';

/** The admin area's passcode; its text stays in here. */
export interface Passcode {
  /** Takes the same time whatever is given. */
  matches(given: string): boolean;
  /** The same for the same passcode at every start, and costly to guess from; another one makes another. */
  readonly fingerprint: string;
  /** Signs the device cookies of browsers that it has opened the area for. */
  readonly deviceOwner: { readonly id: string; readonly deviceKey: string };
}

/** The holder of the passcode, as the audit trail names it. */
export const PASSCODE_ADMIN: AdminIdentity = { name: 'passcode', role: 'owner' };

const FINGERPRINT_SALT = 'casewatch admin sessions';
const FINGERPRINT_BYTES = 32;
const DEVICE_KEY_BYTES = 32;

export async function createPasscode(text: string): Promise<Passcode> {
  const expected = digest(text);
  const key = await promisify<string, string, number, Buffer>(scrypt)(
    canonical(text),
    FINGERPRINT_SALT,
    FINGERPRINT_BYTES + DEVICE_KEY_BYTES,
  );
  return {
    matches: (given) => timingSafeEqual(digest(given), expected),
    fingerprint: key.subarray(0, FINGERPRINT_BYTES).toString('base64url'),
    deviceOwner: { id: 'passcode', deviceKey: key.subarray(FINGERPRINT_BYTES).toString('base64url') },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(canonical(text)).digest();
}
