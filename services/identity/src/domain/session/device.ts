import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Language } from '@casewatch/contracts/languages';
import type { Account } from '../account/account.ts';

/**
 * How long a browser is recognized without signing in; every sign-in renews it. Browsers keep cookies for 400 days at
 * most (RFC 6265bis, 5.5).
 */
export const DEVICE_LIFETIME_MS = 365 * 24 * 3_600_000;
const KEY_BYTES = 32;
const ID_BYTES = 16;

/** What a person recognizes a browser of theirs by. */
export interface Browser {
  /** Such as "Firefox on Windows". */
  device: string;
  /** The address prefix: an IPv4 /24, an IPv6 /48. */
  network: string;
}

/** Where a request comes from, and in what language its answer is read. */
export interface Client {
  address: string;
  browser: Browser;
  /** What the browser asks for, or was chosen in it. */
  language: Language;
}

type DeviceOwner = Pick<Account, 'id' | 'deviceKey'>;

/** Returns a key that signs an account's device cookies; a new one makes those signed with the old one worthless. */
export function newDeviceKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/**
 * Returns the value of a device cookie (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a random id,
 * when it expires, and a signature that only the account's key makes. Nothing in it identifies the account.
 */
export function issueDeviceCookie(owner: { id: string; deviceKey: string }, nowMs: number): string {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const claims = `${id}.${Math.floor((nowMs + DEVICE_LIFETIME_MS) / 1000)}`;
  return `${claims}.${sign(claims, owner).toString('base64url')}`;
}

/** Returns the id of a device cookie that was issued to this account and is still valid. */
export function knownDeviceId(
  cookie: string | undefined,
  { id, deviceKey }: DeviceOwner,
  nowMs: number,
): string | undefined {
  const [, claims, deviceId, expiresAt, signature] =
    /^(([\w-]{22})\.(\d{1,12}))\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (claims === undefined || signature === undefined) return undefined;
  const isGenuine = timingSafeEqual(Buffer.from(signature, 'base64url'), sign(claims, { id, deviceKey }));
  return isGenuine && Number(expiresAt) * 1000 > nowMs ? deviceId : undefined;
}

function sign(claims: string, { id, deviceKey }: { id: string; deviceKey: string }): Buffer {
  return createHmac('sha256', Buffer.from(deviceKey, 'base64url')).update(`device:${id}:${claims}`).digest();
}
