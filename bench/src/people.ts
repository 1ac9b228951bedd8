import pg from 'pg';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** As a browser sends it. */
  readonly cookie: string;
}

const PASSWORD = 'measured under load';

/** Signs up the `nth` person through the gateway. */
export async function signUp(url: string, nth: number): Promise<Person> {
  const given = { email: `bench${nth}@example.test`, password: PASSWORD };
  const answer = await must(
    post(url, '/api/auth/signup', { ...given, firstName: 'B', lastName: String(nth) }),
  );
  const user = (await answer.json()) as { id: string };
  return { ...given, id: user.id, cookie: cookieOf(answer) };
}

/** Signs in anew: what has changed of the account since is in the new session. */
export async function signIn(url: string, { email, password, ...person }: Person): Promise<Person> {
  const answer = await must(post(url, '/api/auth/login', { email, password }));
  return { ...person, email, password, cookie: cookieOf(answer) };
}

/** Gives all accounts the tier Pro. */
export async function makeAllPro(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query("UPDATE identity.users SET tier = 'pro'");
  await client.end();
}

/** Posts as the product's own page does. */
export function post(url: string, path: string, body: unknown, cookie?: string): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(cookie ? { cookie } : {}),
    },
    body: JSON.stringify(body),
  });
}

/** @throws when the answer is not 2xx */
export async function must(answering: Promise<Response>): Promise<Response> {
  const answer = await answering;
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
