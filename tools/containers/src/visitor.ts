import { randomBytes } from 'node:crypto';
import { z } from 'zod';

export interface Visitor {
  /** As the browser calls the product. @throws with the answer when it is not ok */
  call(method: string, route: string, body?: unknown): Promise<unknown>;
  signIn(): Promise<void>;
}

const Cookie = z.string().min(1);

/** Signs up a new user, at the public address of the product. */
export async function signUp(url: string): Promise<Visitor> {
  const account = {
    email: `visitor-${randomBytes(6).toString('hex')}@example.test`,
    password: randomBytes(12).toString('base64url'),
  };
  let cookie = '';
  const call = async (method: string, route: string, body?: unknown) => {
    const answer = await fetch(new URL(route, url), {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookie ? { cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    const [set] = answer.headers.getSetCookie();
    if (set) cookie = Cookie.parse(set.split(';')[0]);
    return text === '' ? undefined : JSON.parse(text);
  };
  await call('POST', '/api/auth/signup', { ...account, firstName: 'Vi', lastName: 'Sitor' });
  return {
    call,
    signIn: async () => {
      cookie = '';
      await call('POST', '/api/auth/login', account);
    },
  };
}
