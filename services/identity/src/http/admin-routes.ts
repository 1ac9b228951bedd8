import * as contract from '@casewatch/contracts/admin-session';
import { type Route, route } from '@casewatch/service-kit/http/route';
import { ADMIN_COOKIE_PATH, adminCookieName, isHttps } from '@casewatch/service-kit/http/session-cookie';
import type { AdminArea } from '../domain/admin-area.ts';
import { logInAdmin } from '../domain/log-in-admin.ts';
import { logOutAdmin } from '../domain/log-out-admin.ts';
import { resolveAdminSession } from '../domain/resolve-admin-session.ts';

const DONE = { ok: true } as const;

/** Contract -> use case. */
export function createAdminRoutes(area: AdminArea, publicUrl: string): Route[] {
  const { idleMs, maximumMs } = area.lifetime;
  const name = adminCookieName(publicUrl);
  const cookie = (value: string, maxAgeSeconds: number) => ({
    name,
    value,
    maxAgeSeconds,
    secure: isHttps(publicUrl),
    path: ADMIN_COOKIE_PATH,
    sameSite: 'Strict' as const,
  });

  return [
    route(contract.adminLogIn, async ({ body, request }) => {
      const { address, cookies } = request;
      const sid = await logInAdmin(area, { passcode: body.passcode, address, oldSid: cookies[name] });
      return {
        body: { ...DONE, idleSeconds: Math.floor(idleMs / 1000) },
        cookies: [cookie(sid, Math.floor(maximumMs / 1000))],
      };
    }),

    route(contract.adminLogOut, async ({ request: { address, cookies } }) => {
      await logOutAdmin(area, { sid: cookies[name], address });
      return { body: DONE, cookies: [cookie('', 0)] };
    }),

    route(contract.resolveAdminSession, async ({ body }) => ({
      body: { session: (await resolveAdminSession(area, body.sid)) ?? null },
    })),
  ];
}
