import { checkDeviceSession, grantDeviceSession as grantDevices } from '@casewatch/contracts/device-sessions';
import { FOUND_USERS_MAX, findUsers } from '@casewatch/contracts/find-users';
import * as contract from '@casewatch/contracts/identity';
import { listMailAddresses, reportMailResult } from '@casewatch/contracts/mail-addresses';
import { storableText } from '@casewatch/service-kit/database/storable-json';
import { type Route, route } from '@casewatch/service-kit/http/route';
import { changeEmail } from '../domain/account/change-email.ts';
import { changePassword } from '../domain/account/change-password.ts';
import { deleteAccount } from '../domain/account/delete-account.ts';
import { changeProfile, currentUser } from '../domain/account/profile.ts';
import { signUp } from '../domain/account/sign-up.ts';
import type { Identity } from '../domain/identity.ts';
import { grantDeviceSession, resolveSession } from '../domain/session/account-sessions.ts';
import { logOut, logOutEverywhere } from '../domain/session/end-sessions.ts';
import { logIn } from '../domain/session/log-in.ts';
import type { BrowserCookies } from './browser-cookies.ts';
import { clientOf } from './browser-of.ts';

const DONE = { ok: true } as const;

/** Returns the routes, contract by contract with its use case. */
export function createRoutes(identity: Identity, cookies: BrowserCookies): Route[] {
  return [
    route(contract.getMe, async ({ caller }) => ({ body: await currentUser(identity, caller.userId) })),

    route(contract.signUp, async ({ body, request }) => {
      const { language: browserLanguage, ...client } = clientOf(request);
      const { oldSid } = cookies.read(request);
      const signedIn = await signUp(identity, { ...body, ...client, browserLanguage, oldSid });
      return { body: signedIn.user, cookies: cookies.set(signedIn) };
    }),

    route(contract.logIn, async ({ body, request }) => {
      const signedIn = await logIn(identity, { ...body, ...clientOf(request), ...cookies.read(request) });
      return { body: signedIn.user, cookies: cookies.set(signedIn) };
    }),

    route(contract.logOut, async ({ request }) => {
      await logOut(identity, cookies.read(request).oldSid);
      return { body: DONE, cookies: cookies.clearSession() };
    }),

    route(contract.logOutEverywhere, async ({ caller }) => {
      await logOutEverywhere(identity, caller.userId);
      return { body: DONE, cookies: cookies.clearAll() };
    }),

    route(contract.changeProfile, async ({ caller, body }) => ({
      body: await changeProfile(identity, caller.userId, body),
    })),

    route(contract.changeEmail, async ({ caller, body, request }) => ({
      body: await changeEmail(identity, caller.userId, { ...body, ...clientOf(request) }),
    })),

    route(contract.changePassword, async ({ caller, body, request }) => {
      const signedIn = await changePassword(identity, caller, { ...body, ...clientOf(request) });
      return { body: signedIn.user, cookies: cookies.set(signedIn) };
    }),

    route(contract.deleteAccount, async ({ caller, body }) => {
      await deleteAccount(identity, caller.userId, body.currentPassword);
      return { body: DONE, cookies: cookies.clearAll() };
    }),

    route(contract.resolveSession, async ({ body }) => ({
      body: { session: (await resolveSession(identity, body.sid)) ?? null },
    })),

    route(grantDevices, async ({ body }) => ({
      body: { granted: await grantDeviceSession(identity, body) },
    })),

    route(checkDeviceSession, async ({ body }) => ({
      body: { granted: await identity.store.deviceSessions.isGranted(body) },
    })),

    route(listMailAddresses, async ({ body }) => ({
      body: { addresses: await identity.store.accounts.mailAddresses(body.userIds) },
    })),

    route(reportMailResult, async ({ body: { email, accepted } }) => {
      await identity.store.accounts.noteMailResult(email, accepted, identity.clock.nowMs());
      return { body: { ok: true as const } };
    }),

    route(findUsers, async ({ body }) => {
      const found = await identity.store.accounts.beginningWith(
        storableText(body.start),
        FOUND_USERS_MAX + 1,
      );
      return {
        body: { userIds: found.slice(0, FOUND_USERS_MAX), isComplete: found.length <= FOUND_USERS_MAX },
      };
    }),
  ];
}
