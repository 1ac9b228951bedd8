import { createECDH } from 'node:crypto';

/** `npm run push-keys`: prints new keys for push messages (VAPID, RFC 8292). Stores nothing. */
const curve = createECDH('prime256v1');
curve.generateKeys();
// A number: leading zeros are a part of the key.
const privateKey = Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex');
console.log(`PUSH_VAPID_PUBLIC_KEY=${curve.getPublicKey('base64url')}`);
console.log(`PUSH_VAPID_PRIVATE_KEY=${privateKey.toString('base64url')}`);
