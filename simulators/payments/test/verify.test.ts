import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { BEHAVIOR } from '../src/control/behavior.ts';
import { verify } from '../verify/verify.ts';
import { KEYS, startPayments } from './start-payments.ts';

type Name = keyof typeof BEHAVIOR;
const NAMES = Object.keys(BEHAVIOR) as Name[];
const other = (names: readonly Name[]) => Object.fromEntries(names.map((name) => [name, BEHAVIOR[name][1]]));

it.each<[string, readonly Name[]]>([
  ['nothing', []],
  ...NAMES.map((name): [string, Name[]] => [name, [name]]),
  ['everything', NAMES],
])('finds what differs: %s', async (_what, names) => {
  await using payments = await startPayments();
  await payments.control('PUT', '/behavior', other(names));
  const lines: string[] = [];
  await verify(
    { secretKey: KEYS.secretKey, apiBase: payments.url },
    {
      print: (line) => lines.push(line),
      async changeCardInPortal(url, isChanged) {
        expect(await isChanged()).toBe(false);
        const form = { action: 'card', number: '5555555555554444', expiry: '12/30', cvc: '123' };
        await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
        expect(await isChanged()).toBe(true);
      },
    },
  );
  expect(lines).toEqual([
    ...names.map((name) => `differs: ${name} is ${BEHAVIOR[name][1]}, not ${BEHAVIOR[name][0]}`),
    `${names.length} of ${NAMES.length} assumptions differ`,
  ]);
  const customers = await payments.stripe.customers.list();
  expect(customers.data).toEqual([]);
});

it('says what could not be asked, and goes on', async () => {
  await using payments = await startPayments();
  const fault = { mode: 'unavailable', path: '/v1/coupons', method: 'POST' };
  await payments.control('PUT', '/faults', fault);
  const lines: string[] = [];
  const changeCardInPortal = async () => {
    throw new Error('nobody was there');
  };
  await verify(
    { secretKey: KEYS.secretKey, apiBase: payments.url },
    { print: (line) => lines.push(line), changeCardInPortal },
  );
  expect(lines).toEqual([
    'not known: portalCard: nobody was there',
    expect.stringMatching(/^not known: onceOverTrial: ./),
    expect.stringMatching(/^not known: redemption: ./),
    `0 of ${NAMES.length - 3} assumptions differ, 3 are not known`,
  ]);
});

it.each([undefined, '', 'sk_live_1', 'rk_live_1', 'sk_live_sk_test_1'])('refuses the key %s', async (key) => {
  const main = fileURLToPath(new URL('../verify/main.ts', import.meta.url));
  const env = { PATH: process.env.PATH, ...(key === undefined ? {} : { STRIPE_SECRET_KEY: key }) };
  await expect(promisify(execFile)(process.execPath, [main], { env })).rejects.toMatchObject({
    code: 1,
    stderr: 'STRIPE_SECRET_KEY must be a key of test mode (sk_test_… or rk_test_…)\n',
  });
});

it('every assumption is on the page that says how to verify it', () => {
  const page = readFileSync(new URL('../../../docs/stripe.md', import.meta.url), 'utf8');
  for (const name of NAMES)
    for (const word of [name, ...BEHAVIOR[name]]) expect(page).toContain(`\`${word}\``);
});
