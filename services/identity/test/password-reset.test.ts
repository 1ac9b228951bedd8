import { createHash, randomBytes } from 'node:crypto';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { deviceOf, errorOf, PASSWORD, sidOf, startIdentity } from './identity-fixture.ts';
import { startRecovery } from './recovery-fixture.ts';

const NEW_PASSWORD = 'another long sentence';
const MINUTE_MS = 60_000;

const identity = await forThisFile(startRecovery());

const texts = async (answer: Response) => [answer.status, await answer.text(), [...answer.headers.keys()]];

test('a forgotten password is replaced with the link of an e-mail', async () => {
  await identity.verified('ada@example.org');
  expect((await identity.forgot(' ADA@example.org ')).status).toBe(202);
  const token = await identity.linkTo('ada@example.org', 'reset-password');
  expect((await identity.reset(token, NEW_PASSWORD)).status).toBe(200);
  expect((await identity.logIn('ada@example.org')).status).toBe(401);
  expect((await identity.logIn('ada@example.org', NEW_PASSWORD)).status).toBe(200);
  expect(await identity.kindsTo('ada@example.org')).toContain('password-changed');
});

test('the answer is the same for an address with and without an account, and the latter gets no e-mail', async () => {
  await identity.verified('known@example.org');
  const known = await texts(await identity.forgot('known@example.org'));
  expect(await texts(await identity.forgot('unknown@example.org'))).toEqual(known);
  expect(known[0]).toBe(202);
  expect(await identity.kindsTo('unknown@example.org')).toEqual([]);
});

test('the event that is published names neither the address nor the link', async () => {
  await identity.verified('quiet@example.org');
  await identity.forgetPublished();
  await identity.forgot('quiet@example.org');
  const [event, ...others] = await identity.published();
  expect(others).toEqual([]);
  expect(event).toEqual({
    name: 'account-mail-requested',
    payload: { mailId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
});

test('only the hash of a link is stored, and each attempt to send gets a link of its own', async () => {
  await identity.verified('hash@example.org');
  await identity.forgot('hash@example.org');
  const first = await identity.linkTo('hash@example.org', 'reset-password');
  const second = await identity.linkTo('hash@example.org', 'reset-password');
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(second).not.toBe(first);
  const rows = await identity.database.query<{ token_hash: string }>('SELECT * FROM identity.account_tokens');
  expect(JSON.stringify(rows)).not.toContain(first);
  expect(rows.map((row) => row.token_hash)).toContain(createHash('sha256').update(first).digest('hex'));
  expect((await identity.reset(first, NEW_PASSWORD)).status).toBe(200);
});

test('a link works once, and ends every other link of the account', async () => {
  await identity.verified('once@example.org');
  await identity.forgot('once@example.org');
  const sibling = await identity.linkTo('once@example.org', 'reset-password');
  await identity.forgot('once@example.org');
  const token = await identity.linkTo('once@example.org', 'reset-password');
  expect((await identity.reset(token, NEW_PASSWORD)).status).toBe(200);
  for (const used of [token, sibling]) {
    expect(await errorOf(await identity.reset(used, 'a third long sentence'))).toMatchObject({
      status: 400,
      code: 'LINK_INVALID',
      error: 'This link is incomplete or no longer valid. Request a new one.',
    });
  }
});

test('of parallel uses of one link exactly one succeeds', async () => {
  await identity.verified('race@example.org');
  await identity.forgot('race@example.org');
  const token = await identity.linkTo('race@example.org', 'reset-password');
  const passwords = Array.from({ length: 4 }, (_, nth) => `${NEW_PASSWORD} ${nth}`);
  const answers = await Promise.all(passwords.map((password) => identity.reset(token, password)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const winner = answers.findIndex(({ status }) => status === 200);
  expect((await identity.logIn('race@example.org', passwords[winner])).status).toBe(200);
});

test('a password that is refused leaves the link valid', async () => {
  await identity.verified('careful@example.org');
  await identity.forgot('careful@example.org');
  const token = await identity.linkTo('careful@example.org', 'reset-password');
  for (const refused of ['short', 'password1', 'careful lovelace']) {
    const error = await errorOf(await identity.reset(token, refused));
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION' });
    expect(error.details).toMatchObject([{ path: 'newPassword' }]);
  }
  expect((await identity.reset(token, NEW_PASSWORD)).status).toBe(200);
});

test('a reset ends every session, and no browser is recognized any more', async () => {
  const { sid, device } = await identity.verified('sessions@example.org');
  const other = sidOf(await identity.logIn('sessions@example.org', PASSWORD, { device }));
  await identity.forgot('sessions@example.org');
  await identity.reset(await identity.linkTo('sessions@example.org', 'reset-password'), NEW_PASSWORD);
  expect([await identity.resolve(sid), await identity.resolve(other)]).toEqual([null, null]);
  const again = await identity.logIn('sessions@example.org', NEW_PASSWORD, { device });
  expect(deviceOf(again)).not.toBe(device);
  expect(await identity.kindsTo('sessions@example.org')).toContain('new-device');
});

test('a reset lets in an owner that wrong guesses had locked out', async () => {
  await identity.verified('locked@example.org');
  for (let guess = 0; guess < 10; guess++) await identity.logIn('locked@example.org', `wrong guess ${guess}`);
  expect((await identity.logIn('locked@example.org')).status).toBe(429);
  await identity.forgot('locked@example.org');
  await identity.reset(await identity.linkTo('locked@example.org', 'reset-password'), NEW_PASSWORD);
  expect((await identity.logIn('locked@example.org', NEW_PASSWORD)).status).toBe(200);
});

test.each([
  ['cut off', (token: string) => token.slice(0, 20)],
  ['of no one', () => randomBytes(32).toString('base64url')],
  ['empty', () => ''],
  ['not a token at all', () => '../../etc/passwd\u202e'],
])('a link that is %s is refused and changes nothing', async (_how, spoil) => {
  const email = `spoiled-${randomBytes(4).toString('hex')}@example.org`;
  await identity.verified(email);
  await identity.forgot(email);
  const token = await identity.linkTo(email, 'reset-password');
  expect(await errorOf(await identity.reset(spoil(token), NEW_PASSWORD))).toMatchObject({
    status: 400,
    code: 'LINK_INVALID',
  });
  expect((await identity.logIn(email)).status).toBe(200);
});

test('the link that proves an address resets no password, and the other way round', async () => {
  await identity.signUp('purpose@example.org');
  await identity.forgot('purpose@example.org');
  const confirming = await identity.linkTo('purpose@example.org', 'confirm-email');
  const resetting = await identity.linkTo('purpose@example.org', 'reset-password');
  expect((await identity.reset(confirming, NEW_PASSWORD)).status).toBe(400);
  expect((await identity.confirm(resetting)).status).toBe(400);
});

test('a later password change ends the links sent before', async () => {
  const { user } = await identity.verified('meanwhile@example.org');
  await identity.forgot('meanwhile@example.org');
  const token = await identity.linkTo('meanwhile@example.org', 'reset-password');
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect((await identity.send('POST', '/api/auth/password', { as: user, body })).status).toBe(200);
  expect((await identity.reset(token, 'a third long sentence')).status).toBe(400);
});

test('requests beyond the limit of an address are answered alike and send nothing', async () => {
  const limited = await startRecovery();
  await limited.verified('flooded@example.org');
  await limited.forgetPublished();
  const answers: unknown[] = [];
  for (const email of ['flooded@example.org', 'nobody@example.org']) {
    for (let nth = 0; nth < 500; nth++) {
      answers.push(await texts(await limited.forgot(email, `198.51.100.${nth % 250}`)));
    }
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await limited.requested()).toHaveLength(2 + 2);
  const token = await limited.linkTo('flooded@example.org', 'reset-password');
  expect((await limited.reset(token, NEW_PASSWORD)).status).toBe(200);
  await limited.stop();
});

test('a network has to wait after too many requests, whatever the addresses', async () => {
  const limited = await startRecovery({ env: { ACCOUNT_MAILS_PER_NETWORK: '3' } });
  const ask = (nth: number) => limited.forgot(`person-${nth}@example.org`, '203.0.113.9');
  for (let nth = 0; nth < 3; nth++) expect((await ask(nth)).status).toBe(202);
  const refused = await ask(3);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect((await limited.forgot('person-4@example.org', '203.0.113.10')).status).toBe(202);
  await limited.stop();
});

test('a link ends after 30 minutes, and what was not sent by then is not sent', async () => {
  const late = await startRecovery();
  await late.verified('late@example.org');
  await late.forgot('late@example.org');
  const token = await late.linkTo('late@example.org', 'reset-password');
  await late.forgot('late@example.org');
  await late.clock.advance(30 * MINUTE_MS - 1_000);
  expect(await errorOf(await late.reset(token, 'short'))).toMatchObject({ code: 'VALIDATION' });
  await late.clock.advance(1_000);
  expect((await late.reset(token, NEW_PASSWORD)).status).toBe(400);
  expect(await late.kindsTo('late@example.org')).not.toContain('reset-password');
  await late.stop();
});

test('what is over is removed from the tables, with the addresses in it', async () => {
  const cleaned = await startRecovery();
  await cleaned.verified('cleaned@example.org');
  await cleaned.forgot('cleaned@example.org');
  await cleaned.forgot('no-account@example.org');
  await cleaned.linkTo('cleaned@example.org', 'reset-password');
  await cleaned.clock.advance(4 * 24 * 60 * MINUTE_MS);
  for (const job of cleaned.service.jobs) job.start();
  const rows = () =>
    cleaned.database.query(
      'SELECT email FROM identity.account_mails UNION ALL SELECT email FROM identity.account_tokens',
    );
  await expect.poll(rows).toEqual([]);
  await cleaned.stop();
});

test('where no e-mails are sent a reset is refused, for every address alike', async () => {
  const off = await startIdentity();
  await off.signUp('off@example.org');
  const ask = async (email: string) =>
    errorOf(await off.send('POST', '/api/auth/password-reset', { body: { email } }));
  expect(await ask('off@example.org')).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  expect(await ask('nobody@example.org')).toEqual(await ask('off@example.org'));
  await off.stop();
});

test('a demo account, whose password everyone knows, can not be taken with a link', async () => {
  const demo = await startRecovery({ env: { DEMO_ACCOUNTS: 'true' } });
  await demo.forgot('free@demo.test');
  expect(await demo.mailsTo('free@demo.test')).toEqual([]);
  await demo.stop();
});
