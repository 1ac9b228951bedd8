import { randomBytes } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@casewatch/contracts/passkeys';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { z } from 'zod';
import { hashSid } from '../session/session.ts';
import type { Store } from '../store.ts';
import {
  CHALLENGE_LIFETIME_MS,
  type ChallengePurpose,
  type Passkey,
  type PasskeyOwner,
  userHandle,
} from './passkey.ts';

/** What a challenge is for, and whose passkey has to answer it; any account's where there is no owner. */
interface Asked {
  purpose: ChallengePurpose;
  owner?: PasskeyOwner;
}

/** A new passkey that its authenticator has shown to have. */
export type VerifiedPasskey = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'synced'
>;

interface CeremonyParts {
  store: Pick<Store, 'passkeys'>;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
  /** What authenticators call the site. */
  siteName: string;
}

const CHALLENGE_BYTES = 32;
/** EdDSA, ES256 and RS256 (IANA, COSE Algorithms): what authenticators have. */
const ALGORITHMS = [-8, -7, -257];
/** No attestation is asked for: what certifies a model is neither needed nor parsed. */
const ATTESTATION_FORMATS = ['none', 'packed'];
const clientDataShape = z.object({ challenge: z.string(), origin: z.string() });
/** What the browser says that it was asked, and by which site. */
type ClientData = z.output<typeof clientDataShape>;

/** Loaded with the first passkey: 28 MB that most processes never need. */
const webauthn = () => import('@simplewebauthn/server');
const webauthnHelpers = () => import('@simplewebauthn/server/helpers');

/**
 * Runs the two ceremonies of WebAuthn 3 (7.1 and 7.2). A challenge is taken by the first answer to it, right or wrong. The
 * site's name and origin are those of PUBLIC_URL, whatever a request says.
 */
export class PasskeyCeremonies {
  readonly #parts: CeremonyParts;
  readonly #passkeys: Store['passkeys'];
  readonly #rpId: string;
  readonly #origin: string;

  constructor(parts: CeremonyParts) {
    this.#parts = parts;
    this.#passkeys = parts.store.passkeys;
    const { hostname, origin } = new URL(parts.publicUrl);
    this.#rpId = hostname;
    this.#origin = origin;
  }

  async startRegistration(
    owner: PasskeyOwner,
    { name, displayName }: { name: string; displayName: string },
  ): Promise<PasskeyCreation> {
    const known = await this.#passkeys.listOf(owner);
    return {
      challenge: await this.#newChallenge({ purpose: 'register', owner }),
      timeout: CHALLENGE_LIFETIME_MS,
      rp: { id: this.#rpId, name: this.#parts.siteName },
      user: { id: userHandle(owner), name, displayName },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: known.map(descriptor),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    };
  }

  /** Undefined: the answer is not right. */
  async finishRegistration(
    owner: PasskeyOwner,
    answer: PasskeyAttestation,
  ): Promise<VerifiedPasskey | undefined> {
    const client = await this.#takeChallenge({ purpose: 'register', owner }, answer.response.clientDataJSON);
    if (!client) return undefined;
    const { verifyRegistrationResponse } = await webauthn();
    const { attestationObject, transports = [], clientDataJSON } = answer.response;
    return unlessRefused(async () => {
      const { decodeAttestationObject } = await webauthnHelpers();
      const format = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
      if (!ATTESTATION_FORMATS.includes(format.get('fmt'))) return undefined;
      const { registrationInfo } = await verifyRegistrationResponse({
        ...this.#expect(client),
        response: {
          ...answer,
          response: { attestationObject, clientDataJSON, transports },
          clientExtensionResults: {},
        },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!registrationInfo) return undefined;
      const { credential, credentialBackedUp: synced } = registrationInfo;
      const { id: credentialId, publicKey, counter } = credential;
      return { credentialId, publicKey, counter, transports, synced };
    });
  }

  async startAssertion(asked: Asked): Promise<PasskeyRequest> {
    const known = asked.owner && (await this.#passkeys.listOf(asked.owner));
    return {
      challenge: await this.#newChallenge(asked),
      timeout: CHALLENGE_LIFETIME_MS,
      rpId: this.#rpId,
      userVerification: 'required',
      ...(known ? { allowCredentials: known.map(descriptor) } : {}),
    };
  }

  /** Whether this passkey gave the answer; records its use. Without a passkey the challenge is taken and nothing is right. */
  async verifyAssertion(
    asked: Asked,
    answer: PasskeyAssertion,
    passkey: Passkey | undefined,
  ): Promise<boolean> {
    const client = await this.#takeChallenge(asked, answer.response.clientDataJSON);
    if (!client || !passkey || !isHandleOf(passkey.owner, asked, answer)) return false;
    const { verifyAuthenticationResponse } = await webauthn();
    const { userHandle: _checked, ...response } = answer.response;
    const verified = await unlessRefused(() =>
      verifyAuthenticationResponse({
        ...this.#expect(client),
        response: { ...answer, response, clientExtensionResults: {} },
        // Compared where it is written: here a count that goes back would hide whether the signature is right.
        credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
      }),
    );
    if (!verified?.verified) return false;
    const { newCounter: counter, credentialBackedUp: synced } = verified.authenticationInfo;
    if (await this.#passkeys.recordUse(passkey.id, { counter, synced, nowMs: this.#parts.clock.nowMs() }))
      return true;
    this.#parts.logger.warn(
      { passkeyId: passkey.id, stored: passkey.counter, received: counter, ...passkey.owner },
      'passkeys: signature counter went back, refusing what may be a copy',
    );
    return false;
  }

  #expect(client: ClientData) {
    const isEvaluation = this.#rpId === 'localhost' && isLocalhost(client.origin);
    return {
      expectedChallenge: client.challenge,
      // An evaluation has `PORT` where PUBLIC_URL may have another one; no other site is on localhost.
      expectedOrigin: isEvaluation ? client.origin : this.#origin,
      expectedRPID: this.#rpId,
      requireUserVerification: true,
    };
  }

  async #newChallenge({ purpose, owner }: Asked): Promise<string> {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    const expiresAtMs = this.#parts.clock.nowMs() + CHALLENGE_LIFETIME_MS;
    await this.#passkeys.addChallenge({ challengeHash: hashSid(challenge), purpose, owner, expiresAtMs });
    return challenge;
  }

  /** What the answer is to, when its challenge was still there to be taken. */
  async #takeChallenge({ purpose, owner }: Asked, clientDataJSON: string): Promise<ClientData | undefined> {
    const client = readClientData(clientDataJSON);
    if (!client) return undefined;
    const taken = await this.#passkeys.takeChallenge(
      { challengeHash: hashSid(client.challenge), purpose, owner },
      this.#parts.clock.nowMs(),
    );
    return taken ? client : undefined;
  }
}

/** What the library refuses, it throws; `check` does nothing else that can fail. */
async function unlessRefused<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}

/** A passkey that was chosen among all of a site has to name its account (WebAuthn, 7.2, step 6). */
function isHandleOf(owner: PasskeyOwner, { owner: asked }: Asked, { response }: PasskeyAssertion): boolean {
  if (response.userHandle === undefined) return asked !== undefined;
  return response.userHandle === userHandle(owner);
}

function readClientData(clientDataJSON: string): ClientData | undefined {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return clientDataShape.safeParse(clientData).data;
  } catch {
    return undefined;
  }
}

const isLocalhost = (origin: string) => /^http:\/\/localhost(:\d{1,5})?$/.test(origin);

function descriptor({ credentialId, transports }: Passkey) {
  return { id: credentialId, type: 'public-key' as const, transports: [...transports] };
}
