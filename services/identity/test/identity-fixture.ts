import { randomUUID } from 'node:crypto';
import type { ResolvedSession, User } from '@casewatch/contracts/identity';
import { ADDRESS_HEADER } from '@casewatch/service-kit/http/internal-headers';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Invalidation } from '@casewatch/shared-state/invalidation/invalidation';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { createManualClock } from '@casewatch/testing/manual-clock';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { service } from '../src/service.ts';

export const PASSWORD = 'correct horse battery';

export interface Options {
  env?: Record<string, string>;
  limiters?: LimiterFactory;
  invalidation?: Pick<Invalidation, 'publish'>;
  logger?: Logger;
  database?: TestDatabase;
}

interface Sending {
  body?: unknown;
  as?: User;
  /** Of `as`: the id of the session, as the gateway passes it on; the newest of the account unless given. */
  sessionId?: string | undefined;
  sid?: string;
  /** The value of the device cookie. */
  device?: string;
  address?: string;
  headers?: Record<string, string>;
}

/** The identity service over real HTTP and its own database, with a clock that stands still until it is moved. */
export async function startIdentity(options: Options = {}) {
  const clock = createManualClock();
  const running = await startTestService(service, { ...options, clock });

  const prefix = options.env?.PUBLIC_URL?.startsWith('https:') ? '__Host-' : '';

  const newestSessionOf = async (userId: string) => {
    const sql = 'SELECT id FROM identity.sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1';
    const [session] = await running.database.query<{ id: string }>(sql, [userId]);
    return session?.id ?? randomUUID();
  };

  const send = async (
    method: string,
    path: string,
    { body, as, sessionId, sid, device, address, headers = {} }: Sending = {},
  ) =>
    running.call(method, path, {
      ...(as
        ? {
            as: {
              userId: as.id,
              tier: as.tier,
              name: `${as.firstName} ${as.lastName}`,
              sessionId: sessionId ?? (await newestSessionOf(as.id)),
            },
          }
        : {}),
      ...(body === undefined ? {} : { body }),
      headers: {
        ...cookieHeader({ [`${prefix}sid`]: sid, [`${prefix}device`]: device }),
        ...(address ? { [ADDRESS_HEADER]: address } : {}),
        ...headers,
      },
    });

  return {
    ...running,
    clock,
    send,
    /** Creates an account and resolves to its user and the session of the browser that did it. */
    async signUp(email: string, sending: Sending = {}) {
      const body = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' };
      const answer = await send('POST', '/api/auth/signup', { ...sending, body });
      if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`);
      return { user: (await answer.json()) as User, sid: sidOf(answer), device: deviceOf(answer) };
    },
    logIn: (email: string, password = PASSWORD, sending: Sending = {}) =>
      send('POST', '/api/auth/login', { ...sending, body: { email, password } }),
    /** Whose session it is, as the gateway asks. */
    async resolve(sid: string) {
      const answer = await send('POST', '/internal/identity/resolve-session', { body: { sid } });
      const { session } = (await answer.json()) as { session: ResolvedSession | null };
      return session;
    },
    /** Of `email`, the row in the database. */
    async row(email: string) {
      const rows = await running.database.query('SELECT * FROM identity.users WHERE email_key = $1', [
        email.toLowerCase(),
      ]);
      return rows[0];
    },
  };
}
export type IdentityFixture = Awaited<ReturnType<typeof startIdentity>>;

function cookieHeader(cookies: Record<string, string | undefined>) {
  const pairs = Object.entries(cookies).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? {} : { cookie: pairs.map((pair) => pair.join('=')).join('; ') };
}

/** The device cookie's value in an answer, whatever the cookie's name. */
export function deviceOf(answer: Response): string {
  return /(?:^|, )(?:__Host-)?device=([^;]*)/.exec(answer.headers.getSetCookie().join(', '))?.[1] ?? '';
}

/** The session id in an answer's cookie, whatever the cookie's name. */
export function sidOf(answer: Response): string {
  const cookie = answer.headers.getSetCookie()[0] ?? '';
  return /^(?:__Host-)?sid=([^;]*)/.exec(cookie)?.[1] ?? '';
}

export async function errorOf(answer: Response) {
  const body = (await answer.json()) as {
    error: string;
    code: string;
    details?: { path: string; message: string }[];
  };
  return { status: answer.status, code: body.code, error: body.error, details: body.details };
}
