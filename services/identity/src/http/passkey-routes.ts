import * as contract from '@casewatch/contracts/passkeys';
import { type Route, route } from '@casewatch/service-kit/http/route';
import type { Identity } from '../domain/identity.ts';
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  startPasskeyProof,
  startPasskeyRegistration,
} from '../domain/manage-passkeys.ts';
import { toPasskeyItem } from '../domain/passkey.ts';
import { signInWithPasskey, startPasskeySignIn } from '../domain/sign-in-with-passkey.ts';
import { type BrowserCookies, browserOf, languageOf } from './browser-cookies.ts';

const DONE = { ok: true } as const;

/** Contract -> use case: the passkeys of a user, and signing in with one. */
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

    route(contract.addPasskey, async ({ caller, body, request }) => {
      const client = { browser: browserOf(request), language: languageOf(request) };
      return { body: await addPasskey(identity, caller, { ...body, ...client }) };
    }),

    route(contract.renamePasskey, async ({ caller, params, body }) => ({
      body: await renamePasskey(identity, caller.userId, { ...params, ...body }),
    })),

    route(contract.removePasskey, async ({ caller, params, body, request }) => {
      const client = { browser: browserOf(request), language: languageOf(request) };
      await removePasskey(identity, caller.userId, { ...params, ...body, ...client });
      return { body: DONE };
    }),

    route(contract.startPasskeySignIn, async ({ request: { address } }) => ({
      body: await startPasskeySignIn(identity, address),
    })),

    route(contract.signInWithPasskey, async ({ body, request }) => {
      const { sid: oldSid, deviceCookie } = cookies.read(request);
      const { address } = request;
      const browser = browserOf(request);
      const signedIn = await signInWithPasskey(identity, {
        ...body,
        address,
        browser,
        language: languageOf(request),
        oldSid,
        deviceCookie,
      });
      return { body: signedIn.user, cookies: cookies.set(signedIn) };
    }),
  ];
}
