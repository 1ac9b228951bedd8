import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SettingsError } from '@casewatch/service-kit/settings/settings';

export interface IdentityKeys {
  /** Only where the gateway runs. */
  privateKey: KeyObject | undefined;
  /** Only where services run. */
  publicKey: KeyObject | undefined;
}

/** A key pair for as long as the process lives: nothing outside it needs to verify its tokens. */
export function ephemeralKeys(): IdentityKeys {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** @throws SettingsError when a key that these roles need is missing or is no P-256 key. */
export function configuredKeys(
  pem: { privateKey: string | undefined; publicKey: string | undefined },
  roles: { gateway: boolean; services: boolean },
): IdentityKeys {
  return {
    privateKey: roles.gateway ? read('TOKEN_PRIVATE_KEY', pem.privateKey, createPrivateKey) : undefined,
    publicKey: roles.services ? read('TOKEN_PUBLIC_KEY', pem.publicKey, createPublicKey) : undefined,
  };
}

function read(name: string, pem: string | undefined, parse: (pem: string) => KeyObject): KeyObject {
  if (!pem) throw new SettingsError([`${name}: is needed when the services run apart`]);
  try {
    // One-line settings write the line breaks of a PEM as \n.
    const key = parse(pem.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Reported below without the text of the key.
  }
  throw new SettingsError([
    `${name}: must be the PEM of a P-256 key (openssl ecparam -name prime256v1 -genkey)`,
  ]);
}
