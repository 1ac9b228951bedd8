import { z } from 'zod';
import { passwordAgain, setsSession, user } from './identity.ts';
import { defineRoute } from './route-contract.ts';
import { text } from './text.ts';

const PASSKEY_NAME_MAX_LENGTH = 100;

/** Bytes as WebAuthn's JSON writes them: base64url without padding. */
const bytes = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]*$/, 'This is not base64url.');
/** 1,023 bytes at most (WebAuthn, 4). */
const credentialId = bytes(1_364);
const transports = z.array(z.string().max(40)).max(10);
const clientDataJSON = bytes(8_000);

/** What `navigator.credentials.get` resolves to, as JSON (WebAuthn 3, 5.1). More fields are fine and mean nothing here. */
export const passkeyAssertion = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON,
      authenticatorData: bytes(8_000),
      signature: bytes(4_000),
      userHandle: bytes(100).optional(),
    }),
  })
  .meta({ id: 'PasskeyAssertion' });
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

/** What `navigator.credentials.create` resolves to, as JSON. */
export const passkeyAttestation = z
  .object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON,
      attestationObject: bytes(16_000),
      transports: transports.optional(),
    }),
  })
  .meta({ id: 'PasskeyAttestation' });
export type PasskeyAttestation = z.output<typeof passkeyAttestation>;

const descriptors = z.array(
  z.object({ id: z.string(), type: z.literal('public-key'), transports: transports.optional() }),
);
const timeout = z.int().meta({ description: 'Milliseconds; the challenge ends then, too.' });

/** For `navigator.credentials.get`. Without `allowCredentials` the person chooses among their passkeys of this site. */
export const passkeyRequest = z
  .object({
    challenge: z.string(),
    timeout,
    rpId: z.string(),
    userVerification: z.literal('required'),
    allowCredentials: descriptors.optional(),
  })
  .meta({ id: 'PasskeyRequest' });
export type PasskeyRequest = z.output<typeof passkeyRequest>;

/** For `navigator.credentials.create`. */
export const passkeyCreation = z
  .object({
    challenge: z.string(),
    timeout,
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: descriptors,
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreation' });
export type PasskeyCreation = z.output<typeof passkeyCreation>;

export const passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    isSynced: z.boolean().meta({
      description: 'Kept by a password manager on several devices; else it is bound to one device.',
    }),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof passkey>;

/** The proof that the owner asks: the password, or one of the passkeys. */
export const ownerProof = z.union([
  z.strictObject({ currentPassword: passwordAgain }),
  z.strictObject({ passkey: passkeyAssertion }),
]);
export type OwnerProof = z.output<typeof ownerProof>;

export const passkeyNameBody = z.strictObject({
  name: text({
    required: 'name-required',
    max: [PASSKEY_NAME_MAX_LENGTH, 'name-long'],
    oneLine: 'name-line',
    invisible: 'name-invisible',
    example: 'Work laptop',
  }),
});

const forUsers = { service: 'identity', access: 'user' } as const;

export const listPasskeys = defineRoute({
  ...forUsers,
  id: 'listPasskeys',
  method: 'GET',
  path: '/api/auth/passkeys',
  summary: "The signed-in user's passkeys, the oldest first",
  answer: z.array(passkey),
});

export const startPasskeyProof = defineRoute({
  ...forUsers,
  id: 'startPasskeyProof',
  method: 'POST',
  path: '/api/auth/passkeys/proof',
  summary: 'A challenge by which a passkey stands in for the password',
  answer: passkeyRequest,
});

export const startPasskeyRegistration = defineRoute({
  ...forUsers,
  id: 'startPasskeyRegistration',
  method: 'POST',
  path: '/api/auth/passkeys/registration',
  summary: 'A challenge for a new passkey',
  description: 'Asks for the password or another passkey. The challenge works once, for five minutes.',
  body: z.strictObject({ proof: ownerProof }),
  answer: passkeyCreation,
  errors: ['WRONG_PASSWORD', 'PASSKEY_REFUSED', 'PASSKEY_LIMIT'],
});

export const addPasskey = defineRoute({
  ...forUsers,
  id: 'addPasskey',
  method: 'POST',
  path: '/api/auth/passkeys',
  summary: 'Add a passkey to the account',
  description: 'The answer to the challenge of a registration. The address of the account is notified.',
  body: z.strictObject({ attestation: passkeyAttestation }),
  status: 201,
  answer: passkey,
  errors: ['PASSKEY_REFUSED', 'PASSKEY_LIMIT'],
  next: [
    { operationId: 'renamePasskey', parameters: { id: '/id' } },
    { operationId: 'removePasskey', parameters: { id: '/id' } },
  ],
});

export const renamePasskey = defineRoute({
  ...forUsers,
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/api/auth/passkeys/:id',
  summary: 'Give a passkey another name',
  params: z.object({ id: z.uuid() }),
  body: passkeyNameBody,
  answer: passkey,
  errors: ['NOT_FOUND'],
});

export const removePasskey = defineRoute({
  ...forUsers,
  id: 'removePasskey',
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  summary: 'Remove a passkey from the account',
  description: 'Asks for the password or a passkey. The address of the account is notified.',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ proof: ownerProof }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['WRONG_PASSWORD', 'PASSKEY_REFUSED', 'NOT_FOUND'],
});

export const startPasskeySignIn = defineRoute({
  id: 'startPasskeySignIn',
  service: 'identity',
  method: 'POST',
  path: '/api/auth/passkey-login/options',
  access: 'public',
  summary: 'A challenge to sign in with a passkey',
  description:
    'Names no account: the person chooses a passkey. The challenge works once, for five minutes. Challenges are limited per network.',
  answer: passkeyRequest,
});

export const signInWithPasskey = defineRoute({
  id: 'signInWithPasskey',
  service: 'identity',
  method: 'POST',
  path: '/api/auth/passkey-login',
  access: 'public',
  summary: 'Sign in with a passkey',
  description:
    'Sets the session cookie and the device cookie. An unknown passkey and one that could not be verified get the same answer. Failures are limited per passkey and per network.',
  body: z.strictObject({ assertion: passkeyAssertion }),
  answer: user,
  answerHeaders: setsSession,
  errors: ['INVALID_CREDENTIALS'],
  changesSessions: true,
});
