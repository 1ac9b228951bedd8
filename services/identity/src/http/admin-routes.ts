import * as passkeys from '@casewatch/contracts/admin-passkeys';
import * as session from '@casewatch/contracts/admin-session';
import * as contract from '@casewatch/contracts/administrators';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import {
  type AdminCaller,
  auditActor,
  type CookieToSet,
  type RequestFacts,
  type Route,
  route,
} from '@casewatch/service-kit/http/route';
import { ADMIN_COOKIE_PATH, adminCookieName, isHttps } from '@casewatch/service-kit/http/session-cookie';
import { acceptInvitation, openInvitation } from '../domain/admin/accept-invitation.ts';
import {
  addAdminPasskey,
  removeAdminPasskey,
  type Self,
  signInAdminWithPasskey,
  startAdminPasskeyRegistration,
  startAdminPasskeySignIn,
} from '../domain/admin/admin-passkeys.ts';
import { toShown } from '../domain/admin/administrator.ts';
import { logInAdmin } from '../domain/admin/log-in-admin.ts';
import {
  changeRole,
  type Invited,
  inviteAdministrator,
  removeAdministrator,
  renewInvitation,
} from '../domain/admin/manage-administrators.ts';
import {
  type AdminBrowser,
  logOutAdmin,
  type OpenedAdmin,
  resolveAdminSession,
} from '../domain/admin/open-admin-session.ts';
import { ATTEMPT_LIFETIME_MS } from '../domain/admin/provider-attempt.ts';
import { signInAdministrator } from '../domain/admin/sign-in-administrator.ts';
import { beginProviderSignIn, finishProviderSignIn } from '../domain/admin/sign-in-by-provider.ts';
import type { AdminArea } from '../domain/identity.ts';
import { toPasskeyItem } from '../domain/passkey/passkey.ts';
import { DEVICE_LIFETIME_MS } from '../domain/session/device.ts';
import { browserOf as clientOf } from './browser-of.ts';

const DONE = { ok: true } as const;

/** Returns the routes, contract by contract with its use case. */
export function createAdminRoutes(area: AdminArea): Route[] {
  const cookies = adminCookies(area);
  return [...sessionRoutes(area, cookies), ...passkeyRoutes(area), ...administratorRoutes(area, cookies)];
}

type AdminCookies = ReturnType<typeof adminCookies>;

function adminCookies(area: AdminArea) {
  const { idleMs, maximumMs } = area.lifetime;
  const secure = isHttps(area.publicUrl);
  const name = adminCookieName(area.publicUrl);
  const deviceName = secure ? '__Secure-admin-device' : 'admin-device';
  const attemptName = secure ? '__Secure-admin-sign-in' : 'admin-sign-in';
  const cookie = (name: string, value: string, maxAgeSeconds: number): CookieToSet => ({
    name,
    value,
    maxAgeSeconds,
    secure,
    path: ADMIN_COOKIE_PATH,
    sameSite: 'Strict',
  });
  const browserOf = ({ address, cookies }: RequestFacts): AdminBrowser => ({
    address,
    oldSid: cookies[name],
    deviceCookie: cookies[deviceName],
  });
  const opened = ({ admin, sid, deviceCookie }: OpenedAdmin) => ({
    body: { ...DONE, idleSeconds: Math.floor(idleMs / 1000), admin },
    cookies: [
      cookie(name, sid, Math.floor(maximumMs / 1000)),
      ...(deviceCookie === undefined
        ? []
        : [cookie(deviceName, deviceCookie, Math.floor(DEVICE_LIFETIME_MS / 1000))]),
    ],
  });
  return { name, attemptName, cookie, browserOf, opened };
}

function sessionRoutes(
  area: AdminArea,
  { name, attemptName, cookie, browserOf, opened }: AdminCookies,
): Route[] {
  return [
    route(session.adminLogIn, async ({ body, request }) =>
      opened(await logInAdmin(area, { ...body, ...browserOf(request) })),
    ),
    route(session.adminSignIn, async ({ body, request }) =>
      opened(await signInAdministrator(area, { ...body, ...browserOf(request) })),
    ),
    route(session.getAdminSignInOptions, async () => ({
      body: { passcode: area.passcode !== undefined, provider: area.provider?.label ?? null },
    })),
    route(session.beginSingleSignOn, async ({ request }) => {
      const { url, attempt } = await beginProviderSignIn(area, request.address);
      return { body: { url }, cookies: [cookie(attemptName, attempt, ATTEMPT_LIFETIME_MS / 1000)] };
    }),
    route(session.finishSingleSignOn, async ({ body, request }) => {
      const attempt = request.cookies[attemptName];
      return opened(await finishProviderSignIn(area, { ...body, attempt, ...browserOf(request) }));
    }),
    route(passkeys.startAdminPasskeySignIn, async ({ request }) => ({
      body: await startAdminPasskeySignIn(area, request.address),
    })),
    route(passkeys.adminSignInWithPasskey, async ({ body, request }) =>
      opened(await signInAdminWithPasskey(area, { ...body, ...browserOf(request) })),
    ),
    route(session.adminLogOut, async ({ request: { address, cookies } }) => {
      await logOutAdmin(area, { sid: cookies[name], address });
      return { body: DONE, cookies: [cookie(name, '', 0)] };
    }),
    route(session.resolveAdminSession, async ({ body }) => ({
      body: { session: (await resolveAdminSession(area, body.sid)) ?? null },
    })),
  ];
}

function passkeyRoutes(area: AdminArea): Route[] {
  return [
    route(passkeys.listAdminPasskeys, async ({ admin: { administratorId } }) => ({
      body:
        administratorId === null
          ? []
          : (await area.store.passkeys.listOf({ administratorId })).map(toPasskeyItem),
    })),
    route(passkeys.startAdminPasskeyRegistration, async ({ body, admin, request }) => ({
      body: await startAdminPasskeyRegistration(area, selfOf(admin, request), body),
    })),
    route(passkeys.addAdminPasskey, async ({ body, admin, request }) => {
      const { device: name } = clientOf(request);
      return { body: await addAdminPasskey(area, selfOf(admin, request), { ...body, name }) };
    }),
    route(passkeys.removeAdminPasskey, async ({ params, admin, request }) => {
      await removeAdminPasskey(area, selfOf(admin, request), params.id);
      return { body: DONE };
    }),
  ];
}

function administratorRoutes(area: AdminArea, { browserOf, opened }: AdminCookies): Route[] {
  const invited = ({ administrator, link }: Invited) => ({
    body: { administrator: toShown(administrator), link },
  });

  return [
    route(contract.openInvitation, async ({ body }) => ({ body: await openInvitation(area, body.token) })),
    route(contract.acceptInvitation, async ({ body, request }) => {
      const accepted = await acceptInvitation(area, { ...body, ...browserOf(request) });
      const reply = opened(accepted);
      return { ...reply, body: { ...reply.body, recoveryCodes: accepted.recoveryCodes } };
    }),
    route(contract.listAdministrators, async () => ({
      body: (await area.store.administrators.list()).map(toShown),
    })),
    route(contract.inviteAdministrator, async ({ body, admin, request }) =>
      invited(await inviteAdministrator(area, auditActor(admin, request), body)),
    ),
    route(contract.renewInvitation, async ({ params, admin, request }) =>
      invited(await renewInvitation(area, auditActor(admin, request), params)),
    ),
    route(contract.changeAdministrator, async ({ params, body, admin, request }) => ({
      body: toShown(await changeRole(area, auditActor(admin, request), params.id, body.role)),
    })),
    route(contract.removeAdministrator, async ({ params, admin, request }) => {
      await removeAdministrator(area, auditActor(admin, request), params.id);
      return { body: DONE };
    }),
  ];
}

/** @throws AppError PERMISSION_DENIED for the passcode, which belongs to no one */
function selfOf(admin: AdminCaller, request: RequestFacts): Self {
  const { administratorId: actorId } = admin;
  if (actorId !== null) return { ...auditActor(admin, request), actorId };
  throw new AppError('PERMISSION_DENIED', {
    en: 'The passcode has no passkeys. Sign in with your administrator account to add one.',
  });
}
