import { z } from 'zod';
import { adminOpening, adminSignInBody, openedAdminArea } from './admin-session.ts';
import {
  passkey,
  passkeyAssertion,
  passkeyAttestation,
  passkeyCreation,
  passkeyRequest,
} from './passkeys.ts';
import { defineRoute } from './route-contract.ts';

const { password, code } = adminSignInBody.shape;
/** Both factors again. */
export const adminProofBody = z.strictObject({ password, code });

export const startAdminPasskeySignIn = defineRoute({
  id: 'startAdminPasskeySignIn',
  service: 'identity',
  method: 'POST',
  path: '/api/admin/passkey-login/options',
  access: 'public',
  summary: 'A challenge to open the admin area with a passkey',
  description:
    'Names no account. The challenge works once, for five minutes. Challenges are limited per network.',
  answer: passkeyRequest,
});

export const adminSignInWithPasskey = defineRoute({
  id: 'adminSignInWithPasskey',
  service: 'identity',
  method: 'POST',
  path: '/api/admin/passkey-login',
  access: 'public',
  summary: 'Open the admin area with a passkey of a named administrator',
  body: z.strictObject({ assertion: passkeyAssertion }),
  answer: openedAdminArea,
  answerHeaders: adminOpening,
  errors: ['INVALID_CREDENTIALS'],
});

const own = { service: 'identity', access: 'admin', permission: 'own-account' } as const;

export const listAdminPasskeys = defineRoute({
  ...own,
  id: 'listAdminPasskeys',
  method: 'GET',
  path: '/api/admin/passkeys',
  summary: "The signed-in administrator's passkeys, the oldest first",
  answer: z.array(passkey),
});

export const startAdminPasskeyRegistration = defineRoute({
  ...own,
  id: 'startAdminPasskeyRegistration',
  method: 'POST',
  path: '/api/admin/passkeys/registration',
  summary: 'A challenge for a new passkey of the signed-in administrator',
  description: 'Asks for password and code. The passcode, which belongs to no one, has no passkeys.',
  body: adminProofBody,
  answer: passkeyCreation,
  errors: ['WRONG_PASSWORD', 'PASSKEY_LIMIT'],
});

export const addAdminPasskey = defineRoute({
  ...own,
  id: 'addAdminPasskey',
  method: 'POST',
  path: '/api/admin/passkeys',
  summary: 'Add a passkey to the account of the signed-in administrator',
  body: z.strictObject({ attestation: passkeyAttestation }),
  status: 201,
  answer: passkey,
  errors: ['PASSKEY_REFUSED', 'PASSKEY_LIMIT'],
  next: [{ operationId: 'removeAdminPasskey', parameters: { id: '/id' } }],
});

export const removeAdminPasskey = defineRoute({
  ...own,
  id: 'removeAdminPasskey',
  method: 'DELETE',
  path: '/api/admin/passkeys/:id',
  summary: 'Remove a passkey of the signed-in administrator',
  params: z.object({ id: z.uuid() }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['NOT_FOUND'],
});
