import type { User } from '@casewatch/contracts/identity';
import type { Passkey, PasskeyCreation, PasskeyRequest } from '@casewatch/contracts/passkeys';
import { expect } from 'vitest';
import { type Options, PASSWORD } from './identity-fixture.ts';
import { startRecovery } from './recovery-fixture.ts';
import { type Authenticator, createAuthenticator, type Deviation } from './software-authenticator.ts';

/** The default PUBLIC_URL. */
export const ORIGIN = 'http://localhost:8080';
const PASSWORD_PROOF = { currentPassword: PASSWORD };

/** Identity where e-mails are sent, and what browsers do to add and use passkeys. */
export async function startPasskeys(options: Options = {}) {
  const identity = await startRecovery(options);
  const { send } = identity;

  const startRegistration = (as: User, proof: unknown = PASSWORD_PROOF) =>
    send('POST', '/api/auth/passkeys/registration', { as, body: { proof } });
  const finishRegistration = (as: User, attestation: unknown) =>
    send('POST', '/api/auth/passkeys', { as, body: { attestation } });
  const creation = async (as: User) => (await (await startRegistration(as)).json()) as PasskeyCreation;
  const startProof = async (as: User) =>
    (await (await send('POST', '/api/auth/passkeys/proof', { as })).json()) as PasskeyRequest;
  const startSignIn = async () =>
    (await (await send('POST', '/api/auth/passkey-login/options')).json()) as PasskeyRequest;
  const finishSignIn = (assertion: unknown, sending: Parameters<typeof send>[2] = {}) =>
    send('POST', '/api/auth/passkey-login', { ...sending, body: { assertion } });

  async function addPasskey(as: User, how: Deviation = {}, origin = ORIGIN) {
    const authenticator = createAuthenticator(origin);
    const answer = await finishRegistration(as, authenticator.create(await creation(as), how));
    expect(answer.status).toBe(201);
    return { authenticator, passkey: (await answer.json()) as Passkey };
  }

  return {
    ...identity,
    startRegistration,
    finishRegistration,
    creation,
    startProof,
    startSignIn,
    finishSignIn,
    addPasskey,
    /** An account whose address is proven, with one passkey. */
    async withPasskey(email: string, origin = ORIGIN) {
      const signedUp = await identity.verified(email);
      return { ...signedUp, ...(await addPasskey(signedUp.user, {}, origin)) };
    },
    signIn: async (
      authenticator: Authenticator,
      how: Deviation = {},
      sending: Parameters<typeof send>[2] = {},
    ) => finishSignIn(authenticator.get(await startSignIn(), how), sending),
    remove: (as: User, id: string, proof: unknown = PASSWORD_PROOF) =>
      send('DELETE', `/api/auth/passkeys/${id}`, { as, body: { proof } }),
    list: async (as: User) => (await (await send('GET', '/api/auth/passkeys', { as })).json()) as Passkey[],
  };
}
