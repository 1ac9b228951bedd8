import { writeFileSync } from 'node:fs';
import pg from 'pg';

/** What the scenarios need to begin with: accounts with a session, accounts that sign in, and stored cases. */
export interface Seed {
  url: string;
  accounts: Account[];
  signingIn: Account[];
  receiptNumbers: string[];
}

interface Account {
  email: string;
  password: string;
  cookie: string;
}

const ACCOUNTS = 100;
/** Apart from the others: an account that signs in has a new session each time. */
const SIGNING_IN = 50;
const RECEIPT_NUMBERS = 100;
const SAVED_EACH = 5;
const SIDE_BY_SIDE = 4;
const PASSWORD = 'measured under load';

/** Signs accounts up, makes them Pro, saves cases and looks all up once, so that the store has them; writes `file`. */
export async function seed(url: string, ownerUrl: string, file: string): Promise<Seed> {
  const all = await sideBySide(numbered(ACCOUNTS + SIGNING_IN), (n) => signUp(url, n));
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query("UPDATE identity.users SET tier = 'pro'");
  await client.end();
  // The gateway caches sessions; these signed up before they were Pro.
  const accounts = await sideBySide(all.slice(0, ACCOUNTS), (account) => signInAgain(url, account));
  const receiptNumbers = numbered(RECEIPT_NUMBERS).map((n) => `EAC${String(9_990_000_000 + n * 2)}`);
  const stored = await sideBySide(receiptNumbers, async (receiptNumber) => {
    const answer = await call(url, `/api/case-status/${receiptNumber}`, accounts[0]?.cookie);
    return answer.ok ? [receiptNumber] : [];
  });
  await sideBySide(accounts, async ({ cookie }) => {
    for (let n = 0; n < SAVED_EACH; n++) {
      const receiptNumber = `EAC${String(9_980_000_000 + n * 2)}`;
      await must(call(url, '/api/saved-cases', cookie, { receiptNumber }));
    }
  });
  const seeded = { url, accounts, signingIn: all.slice(ACCOUNTS), receiptNumbers: stored.flat() };
  writeFileSync(file, JSON.stringify(seeded));
  return seeded;
}

async function signUp(url: string, n: number): Promise<Account> {
  const email = `load${n}@example.test`;
  const body = { email, password: PASSWORD, firstName: 'L', lastName: String(n) };
  const answer = await must(call(url, '/api/auth/signup', undefined, body));
  return { email, password: PASSWORD, cookie: cookieOf(answer) };
}

async function signInAgain(url: string, { email, password }: Account): Promise<Account> {
  const answer = await must(call(url, '/api/auth/login', undefined, { email, password }));
  return { email, password, cookie: cookieOf(answer) };
}

function call(url: string, path: string, cookie?: string, body?: unknown): Promise<Response> {
  return fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...(cookie ? { cookie } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function must(answering: Promise<Response>): Promise<Response> {
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

const numbered = (count: number) => Array.from({ length: count }, (_, n) => n);

async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return results;
}
