import { createECDH } from 'node:crypto';
import { SettingsError, type SettingsOf } from '@casewatch/service-kit/settings/settings';
import type { NotificationsSettings } from '../config.ts';

export interface PushKeys {
  /** A point of P-256 in base64url, which browsers subscribe with. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** Where a push service reaches the operator. */
  readonly subject: string;
}

type Settings = Pick<
  SettingsOf<NotificationsSettings>,
  'PUSH_VAPID_PUBLIC_KEY' | 'PUSH_VAPID_PRIVATE_KEY' | 'PUSH_SUBJECT'
>;

/** Returns what push messages are sent with; undefined when they are off. @throws SettingsError when something is missing or does not fit */
export function pushKeys(settings: Settings): PushKeys | undefined {
  const {
    PUSH_VAPID_PUBLIC_KEY: publicKey,
    PUSH_VAPID_PRIVATE_KEY: privateKey,
    PUSH_SUBJECT: subject,
  } = settings;
  if (publicKey === undefined && privateKey === undefined) return undefined;
  const problems: string[] = [];
  if (publicKey === undefined) problems.push('PUSH_VAPID_PUBLIC_KEY: is needed with PUSH_VAPID_PRIVATE_KEY');
  if (privateKey === undefined) problems.push('PUSH_VAPID_PRIVATE_KEY: is needed with PUSH_VAPID_PUBLIC_KEY');
  if (subject === undefined) problems.push('PUSH_SUBJECT: is needed with PUSH_VAPID_PUBLIC_KEY');
  if (publicKey !== undefined && privateKey !== undefined && publicKeyOf(privateKey) !== publicKey) {
    problems.push('PUSH_VAPID_PUBLIC_KEY: does not belong to PUSH_VAPID_PRIVATE_KEY');
  }
  if (publicKey === undefined || privateKey === undefined || subject === undefined || problems.length > 0) {
    throw new SettingsError(problems);
  }
  return { publicKey, privateKey, subject };
}

/** Returns the public key of a private one; undefined when there is none. */
export function publicKeyOf(privateKey: string): string | undefined {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(privateKey, 'base64url');
  } catch {
    return undefined;
  }
  return curve.getPublicKey('base64url');
}
