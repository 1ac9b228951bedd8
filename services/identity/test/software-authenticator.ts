import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@casewatch/contracts/passkeys';

/** What an answer does differently from a well-behaved browser and authenticator. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  userVerified?: boolean;
  /** Adds up instead of the next count. */
  counter?: number;
  backedUp?: boolean;
  userHandle?: string | null;
  /** Bytes cut off the end of the attestation object. */
  truncatedBy?: number;
  format?: 'none' | 'packed' | 'apple';
  /** Changes one bit of the signature. */
  forged?: boolean;
}

/**
 * One passkey in software (WebAuthn 3, 6): ES256, with the attestation `none`, or `packed` signed by itself. Answers are
 * what a browser at `origin` sends.
 */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let handle: string | undefined;
  let count = 0;

  const clientData = (type: string, challenge: string, how: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: how.type ?? type,
        challenge: how.challenge ?? challenge,
        origin: how.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (rpId: string, how: Deviation, attested = Buffer.alloc(0)) => {
    const { userVerified = true, backedUp = false } = how;
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (backedUp ? 0x18 : 0) | (attested.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(how.counter ?? count);
    const rpIdHash = createHash('sha256')
      .update(how.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counter, attested]);
  };
  const signed = (data: Buffer, client: Buffer) =>
    sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey);

  return {
    id,
    /** Answers a registration. */
    create({ challenge, rp, user }: PasskeyCreation, how: Deviation = {}): PasskeyAttestation {
      handle = user.id;
      const client = clientData('webauthn.create', challenge, how);
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // EC2 key, ES256, P-256 (RFC 9053, 7.1.1).
      const coseKey = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]);
      const data = authenticatorData(rp.id, how, attested);
      const format = how.format ?? 'none';
      const statement: [string, Cbor][] =
        format === 'none'
          ? []
          : [
              ['alg', -7],
              ['sig', signed(data, client)],
            ];
      const attestationObject = cborMap([
        ['fmt', format],
        ['attStmt', new Map(statement)],
        ['authData', data],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: attestationObject
            .subarray(0, attestationObject.length - (how.truncatedBy ?? 0))
            .toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Answers a sign-in or a proof, and counts it. */
    get({ challenge, rpId }: PasskeyRequest, how: Deviation = {}): PasskeyAssertion {
      count += 1;
      const client = clientData('webauthn.get', challenge, how);
      const data = authenticatorData(rpId, how);
      const signature = signed(data, client);
      if (how.forged)
        signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
      const userHandle = how.userHandle === null ? undefined : (how.userHandle ?? handle);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.subarray(0, data.length - (how.truncatedBy ?? 0)).toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;

type Cbor = number | string | Buffer | Map<string, Cbor>;

/** The part of CBOR (RFC 8949) that authenticators write. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) return cborMap([...value]);
  return Buffer.concat([cborHead(2, value.length), value]);
}

function cborMap(entries: [number | string, Cbor][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flatMap((pair) => pair.map(cbor))]);
}

function cborHead(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size]);
  if (size < 256) return Buffer.from([(type << 5) | 24, size]);
  return Buffer.from([(type << 5) | 25, size >> 8, size & 0xff]);
}
