import * as contract from '@casewatch/contracts/passkeys';
import { type Route, route } from '@casewatch/service-kit/http/route';
import type { Identity } from '../domain/identity.ts';
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  startPasskeyProof,
  startPasskeyRegistration,
} from '../domain/passkey/manage-passkeys.ts';
import { toPasskeyItem } from '../domain/passkey/passkey.ts';
import { signInWithPasskey, startPasskeySignIn } from '../domain/session/sign-in-with-passkey.ts';
import type { BrowserCookies } from './browser-cookies.ts';
import { clientOf } from './browser-of.ts';

const DONE = { ok: true } as const;

/** Returns the routes, contract by contract with its use case: the passkeys of a user, and signing in with one. */
export function createPasskeyRoutes(identity: Identity, cookies: BrowserCookies): Route[] {
  return [
    route(contract.listPasskeys, async ({ caller: { userId } }) => ({
      body: (await identity.store.passkeys.listOf({ userId })).map(toPasskeyItem),
    })),

    route(contract.startPasskeyProof, async ({ caller }) => ({
      body: await startPasskeyProof(identity, caller.userId),
    })),

    route(contract.startPasskeyRegistration, async ({ caller, body }) => ({
      body: await startPasskeyRegistration(identity, caller.userId, body.proof),
    })),

    route(contract.addPasskey, async ({ caller, body, request }) => ({
      body: await addPasskey(identity, caller, { ...body, ...clientOf(request) }),
    })),

    route(contract.renamePasskey, async ({ caller, params, body }) => ({
      body: await renamePasskey(identity, caller.userId, { ...params, ...body }),
    })),

    route(contract.removePasskey, async ({ caller, params, body, request }) => {
      await removePasskey(identity, caller.userId, { ...params, ...body, ...clientOf(request) });
      return { body: DONE };
    }),

    route(contract.startPasskeySignIn, async ({ request: { address } }) => ({
      body: await startPasskeySignIn(identity, address),
    })),

    route(contract.signInWithPasskey, async ({ body, request }) => {
      const from = { ...clientOf(request), ...cookies.read(request) };
      const signedIn = await signInWithPasskey(identity, { ...body, ...from });
      return { body: signedIn.user, cookies: cookies.set(signedIn) };
    }),
  ];
}
