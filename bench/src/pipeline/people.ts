import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface SignedUp {
  readonly id: string;
  /** As a browser sends it. */
  readonly cookie: string;
}

/** Signs people up through the gateway and gives all accounts the tier Pro. */
export async function signUpPeople({
  url,
  ownerUrl,
  count,
}: {
  url: string;
  ownerUrl: string;
  count: number;
}): Promise<SignedUp[]> {
  const people: SignedUp[] = [];
  for (let n = 0; n < count; n++) {
    const answer = await fetch(`${url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({
        email: `${randomUUID()}@bench.test`,
        password: 'measured under load',
        firstName: 'B',
        lastName: 'N',
      }),
    });
    if (!answer.ok) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`);
    const user = (await answer.json()) as { id: string };
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    people.push({ id: user.id, cookie });
  }
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query("UPDATE identity.users SET tier = 'pro'");
  await client.end();
  return people;
}
