import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SettingsError } from '@casewatch/service-kit/settings/settings';

export interface IdentityKeys {
  /** Only where the gateway runs. */
  privateKey: KeyObject | undefined;
  /** Only where services run. */
  publicKeys: readonly KeyObject[] | undefined;
}

const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----/gs;

/** Returns a key pair for as long as the process lives: nothing outside it needs to verify its tokens. */
export function ephemeralKeys(): IdentityKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKeys: [publicKey] };
}

/** Signs with a key pair of its own what one part of this process hands to another; what a gateway signs is verified, too. */
export function withOwnKey({ publicKeys = [] }: IdentityKeys): IdentityKeys {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey: own.privateKey, publicKeys: [own.publicKey, ...publicKeys] };
}

/**
 * Parses the settings' keys: one to sign, one or several to verify.
 * @throws SettingsError when a key that these roles need is missing or is no P-256 key
 */
export function configuredKeys(
  pem: { privateKey: string | undefined; publicKey: string | undefined },
  roles: { gateway: boolean; services: boolean },
): IdentityKeys {
  return {
    privateKey: roles.gateway ? read('TOKEN_PRIVATE_KEY', pem.privateKey, createPrivateKey) : undefined,
    publicKeys: roles.services ? readAll('TOKEN_PUBLIC_KEY', pem.publicKey) : undefined,
  };
}

/** The keys of one or several PEMs, one after another. */
function readAll(name: string, pems: string | undefined): KeyObject[] {
  const each = pems?.match(PUBLIC_KEY) ?? [pems];
  return each.map((pem) => read(name, pem, createPublicKey));
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
