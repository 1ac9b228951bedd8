import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'casewatch billing: trial key';

/**
 * Returns the key of the hashes of trials; undefined when none of the secrets opens it. It is made once and kept in the database, sealed with a key that is derived (HKDF) from
 * the first of the secrets: a copy of the database alone reveals no address, and a secret that is replaced while both are accepted
 * takes the key along.
 */
export async function openTrialKey(pool: Pool, secrets: readonly string[]): Promise<Buffer | undefined> {
  const [first, ...olders] = secrets.map(sealingKey);
  if (!first) return undefined;
  await pool.query('INSERT INTO trial_key (id, sealed) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
    seal(randomBytes(KEY_BYTES), first),
  ]);
  const { rows } = await pool.query<{ sealed: Buffer }>('SELECT sealed FROM trial_key WHERE id = 1');
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
  const key = open(sealed, first);
  if (key) return key;
  for (const older of olders) {
    const opened = open(sealed, older);
    if (!opened) continue;
    // A process that has the older secret first seals it again: either of the two opens it for both.
    await pool.query('UPDATE trial_key SET sealed = $1 WHERE id = 1 AND sealed = $2', [
      seal(opened, first),
      sealed,
    ]);
    return opened;
  }
  return undefined;
}

function sealingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES));
}

function seal(key: Buffer, sealing: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealing, nonce);
  const encrypted = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Undefined when it was sealed with another key. */
function open(sealed: Buffer, sealing: Buffer): Buffer | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const cipher = createDecipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
    cipher.setAuthTag(tag);
    return Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
  } catch {
    return undefined;
  }
}
