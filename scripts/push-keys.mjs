import { createECDH } from 'node:crypto';

/** Returns new keys for push messages (VAPID, RFC 8292), as names and values of settings. */
export function makePushKeys() {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  // A number: leading zeros are a part of the key.
  const privateKey = Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex');
  return [
    ['PUSH_VAPID_PUBLIC_KEY', curve.getPublicKey('base64url')],
    ['PUSH_VAPID_PRIVATE_KEY', privateKey.toString('base64url')],
  ];
}

// `npm run push-keys`: prints them, and stores nothing.
if (import.meta.main) for (const [name, value] of makePushKeys()) console.log(`${name}=${value}`);
