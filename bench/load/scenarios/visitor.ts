import exec from 'k6/execution';
import http from 'k6/http';

/** What visitors do, for k6: each request carries its kind, by which k6 keeps figures and thresholds apart. */

declare const __ENV: Record<string, string | undefined>;
declare function open(path: string): string;

interface Account {
  email: string;
  password: string;
  cookie: string;
}

interface Seed {
  url: string;
  /** With a session; the last ones have none and sign in. */
  accounts: Account[];
  signingIn: Account[];
  /** Fresh in the store. */
  receiptNumbers: string[];
}

export const KINDS = ['lookup', 'list', 'save', 'sign-in', 'landing'] as const;
export type Kind = (typeof KINDS)[number];

const seed: Seed = JSON.parse(open(required('SEED')));
const PER_ROUND = 20;

/** Of twenty requests: 14 lookups from the store, 3 lists, 2 saves, 1 sign-in by a visitor of the landing page. */
export function mixedDay(): void {
  // 7 and 20 have no common divisor: the kinds are spread over the round.
  const turn = (exec.scenario.iterationInTest * 7) % PER_ROUND;
  if (turn < 14) lookUp();
  else if (turn < 17) list();
  else if (turn < 19) save();
  else signIn();
}

function lookUp(): void {
  http.get(`${seed.url}/api/case-status/${nth(seed.receiptNumbers)}`, as(nth(seed.accounts), 'lookup'));
}

function list(): void {
  http.get(`${seed.url}/api/saved-cases`, as(nth(seed.accounts), 'list'));
}

/** Saves a case and removes it again, so that lists do not grow. */
function save(): void {
  const account = nth(seed.accounts);
  const turn = exec.scenario.iterationInTest;
  const receiptNumber = nth(seed.receiptNumbers, turn + Math.floor(turn / seed.accounts.length) * 7);
  const params = as(account, 'save');
  http.post(`${seed.url}/api/saved-cases`, JSON.stringify({ receiptNumber }), params);
  http.del(`${seed.url}/api/saved-cases/${receiptNumber}`, null, params);
}

function signIn(): void {
  const { email, password } = nth(seed.signingIn);
  http.get(`${seed.url}/`, tagged('landing'));
  http.post(`${seed.url}/api/auth/login`, JSON.stringify({ email, password }), tagged('sign-in'));
}

export function required(name: string): string {
  const value = __ENV[name];
  if (value === undefined) throw new Error(`the runner sets ${name}`);
  return value;
}

/** Writes all figures for the runner; k6 prints nothing itself. */
export function handleSummary(data: unknown): Record<string, string> {
  return { [required('SUMMARY')]: JSON.stringify(data) };
}

/** Another one each time, and another pair of account and case for as long as there are any: what one visitor saves, no other does. */
function nth<Item>(items: readonly Item[], place = exec.scenario.iterationInTest): Item {
  const round = Math.floor(place / items.length);
  const item = items[(place + round) % items.length];
  if (item === undefined) throw new Error('nothing was seeded');
  return item;
}

function as({ cookie }: Account, kind: Kind) {
  const params = tagged(kind);
  return { ...params, headers: { ...params.headers, cookie } };
}

function tagged(kind: Kind) {
  return {
    tags: { kind, name: kind },
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    timeout: '10s',
  };
}
