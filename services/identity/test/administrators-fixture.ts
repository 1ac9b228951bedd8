import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import type { AdminInvitation, Administrator } from '@casewatch/contracts/administrators';
import { Secret, TOTP } from 'otpauth';
import { type IdentityFixture, type Options, startIdentity } from './identity-fixture.ts';

export const PASSWORD = 'a fairly long password';
export const OWNER_SESSION = '0199d0c4-0000-4000-8000-0000000000ed';

interface From {
  address?: string;
  /** Cookies of the browser, as one header. */
  cookie?: string;
}

/** The identity service with what tests of named administrators do again and again. */
export async function startAdministrators(options: Options = {}) {
  const identity: IdentityFixture = await startIdentity(options);
  const post = (path: string, body: unknown, { address, cookie }: From = {}) =>
    identity.send('POST', `/api/admin/${path}`, {
      body,
      ...(address ? { address } : {}),
      ...(cookie ? { headers: { cookie } } : {}),
    });
  const asOwner = (method: string, path: string, body?: unknown, adminRole?: AdminRole) =>
    identity.call(method, `/api/admin/administrators${path}`, {
      adminSession: OWNER_SESSION,
      ...(adminRole ? { adminRole } : {}),
      ...(body === undefined ? {} : { body }),
    });
  const codeOf = (key: string) =>
    new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: identity.clock.nowMs() });

  const fixture = {
    ...identity,
    post,
    asOwner,
    codeOf,
    async invite(email: string, role: AdminRole = 'owner') {
      const answer = await asOwner('POST', '', { email, role });
      if (answer.status !== 201)
        throw new Error(`inviting answered ${answer.status}: ${await answer.text()}`);
      const { link, administrator } = (await answer.json()) as AdminInvitation;
      return { link, administrator, token: new URL(link).hash.slice(1) };
    },
    async open(token: string) {
      const answer = await post('invitations/open', { token });
      return (await answer.json()) as { email: string; role: AdminRole; secret: string; uri: string };
    },
    accept: (
      token: string,
      key: string,
      { name = 'Grace Hopper', password = PASSWORD, ...from }: Accepting = {},
    ) => post('invitations/accept', { token, name, password, code: codeOf(key) }, from),
    /** An administrator who has accepted, with a clock on which the code of accepting is over. */
    async join(email: string, role: AdminRole = 'owner', accepting: Accepting = {}) {
      const { token, administrator } = await fixture.invite(email, role);
      const { secret } = await fixture.open(token);
      const answer = await fixture.accept(token, secret, accepting);
      const { recoveryCodes } = (await answer.json()) as { recoveryCodes: string[] };
      await identity.clock.advance(30_000);
      return { id: administrator.id, key: secret, recoveryCodes, ...cookiesOf(answer) };
    },
    signIn: (
      email: string,
      code: string,
      { password = PASSWORD, ...from }: From & { password?: string } = {},
    ) => post('sign-in', { email, password, code }, from),
    async resolveAdmin(sid: string) {
      const answer = await identity.send('POST', '/internal/identity/resolve-admin-session', {
        body: { sid },
      });
      return ((await answer.json()) as { session: ResolvedAdminSession | null }).session;
    },
    list: async () => (await (await asOwner('GET', '')).json()) as Administrator[],
    audit: async () =>
      (await identity.published()).filter(({ name }) => name === 'admin-acted').map(({ payload }) => payload),
  };
  return fixture;
}
export type AdministratorsFixture = Awaited<ReturnType<typeof startAdministrators>>;

interface Accepting extends From {
  name?: string;
  password?: string;
}

/** The session's value, and the header by which the browser is recognized later. */
export function cookiesOf(answer: Response): { sid: string; device: string } {
  const pairs = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return { sid: pairs[0]?.split('=')[1] ?? '', device: pairs[1] ?? '' };
}
