import type { PasskeyCreation, PasskeyRequest } from '@casewatch/contracts/passkeys';
import { vi } from 'vitest';
import { FREE_USER } from './samples.ts';

const CHALLENGE = 'Y2hhbGxlbmdlLW9mLTMyLWJ5dGVzLWV4YWN0bHktMDA';
export const REQUEST: PasskeyRequest = {
  challenge: CHALLENGE,
  timeout: 300_000,
  rpId: 'localhost',
  userVerification: 'required',
};
export const CREATION: PasskeyCreation = {
  challenge: CHALLENGE,
  timeout: 300_000,
  rp: { id: 'localhost', name: 'Casewatch' },
  user: { id: 'AAAAAAAAAAAAAAAAAAAAAA', name: FREE_USER.email, displayName: 'Ada Lovelace' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
};
const bytes = (text: string) => new TextEncoder().encode(text).buffer;
/** What a browser gives when the person has unlocked a passkey. */
export const CREDENTIAL = {
  id: 'Y3JlZGVudGlhbA',
  rawId: bytes('credential'),
  type: 'public-key',
  response: {
    clientDataJSON: bytes('client'),
    attestationObject: bytes('attestation'),
    authenticatorData: bytes('data'),
    signature: bytes('signature'),
    userHandle: bytes('user'),
    getTransports: () => ['internal'],
  },
  getClientExtensionResults: () => ({}),
};
export const ASSERTION = {
  id: 'Y3JlZGVudGlhbA',
  rawId: 'Y3JlZGVudGlhbA',
  type: 'public-key' as const,
  response: {
    clientDataJSON: 'Y2xpZW50',
    authenticatorData: 'ZGF0YQ',
    signature: 'c2lnbmF0dXJl',
    userHandle: 'dXNlcg',
  },
};

/** Stands in for the browser's dialogs: what the person does in them. */
export function authenticator({ suggests = false } = {}) {
  const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>(async () => CREDENTIAL);
  const create = vi.fn<(options: CredentialCreationOptions) => Promise<unknown>>(async () => CREDENTIAL);
  const browser = Object.assign(() => undefined, { isConditionalMediationAvailable: async () => suggests });
  vi.stubGlobal('PublicKeyCredential', browser);
  vi.spyOn(navigator.credentials, 'get').mockImplementation(get as typeof navigator.credentials.get);
  vi.spyOn(navigator.credentials, 'create').mockImplementation(create as typeof navigator.credentials.create);
  return { get, create };
}

/** What browsers throw when the person closes their dialog, or has nothing to choose. */
export const dismissal = () => new DOMException('The operation was not allowed.', 'NotAllowedError');
