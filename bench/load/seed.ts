import { writeFileSync } from 'node:fs';
import { makeAllPro, must, type Person, post, signIn, signUp } from '../src/people.ts';

/** What the scenarios need to begin with: accounts with a session, accounts that sign in, and stored cases. */
export interface Seed {
  url: string;
  accounts: Person[];
  signingIn: Person[];
  receiptNumbers: string[];
}

const ACCOUNTS = 100;
/** Apart from the others: an account that signs in has a new session each time. */
const SIGNING_IN = 50;
const RECEIPT_NUMBERS = 100;
const SAVED_EACH = 5;
const SIDE_BY_SIDE = 4;

/** Signs accounts up, makes them Pro, saves cases and looks all up once, so that the store has them; writes `file`. */
export async function seed(url: string, ownerUrl: string, file: string): Promise<Seed> {
  const all = await sideBySide(numbered(ACCOUNTS + SIGNING_IN), (n) => signUp(url, n));
  await makeAllPro(ownerUrl);
  // The gateway caches sessions; these signed up before they were Pro.
  const accounts = await sideBySide(all.slice(0, ACCOUNTS), (account) => signIn(url, account));
  const receiptNumbers = numbered(RECEIPT_NUMBERS).map((n) => `EAC${String(9_990_000_000 + n * 2)}`);
  const stored = await sideBySide(receiptNumbers, async (receiptNumber) => {
    const cookie = accounts[0]?.cookie ?? '';
    const answer = await fetch(`${url}/api/case-status/${receiptNumber}`, { headers: { cookie } });
    return answer.ok ? [receiptNumber] : [];
  });
  await sideBySide(accounts, async ({ cookie }) => {
    for (let n = 0; n < SAVED_EACH; n++) {
      const receiptNumber = `EAC${String(9_980_000_000 + n * 2)}`;
      await must(post(url, '/api/saved-cases', { receiptNumber }, cookie));
    }
  });
  const seeded = { url, accounts, signingIn: all.slice(ACCOUNTS), receiptNumbers: stored.flat() };
  writeFileSync(file, JSON.stringify(seeded));
  return seeded;
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
