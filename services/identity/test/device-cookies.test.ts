import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceOf, errorOf, type IdentityFixture, PASSWORD, startIdentity } from './identity-fixture.ts';

const WRONG = 'not the password';
const TRIES = 4;
const DAY_MS = 24 * 3_600_000;

let identity: IdentityFixture;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  identity = await startIdentity({
    env: {
      SIGN_IN_TRIES_PER_ACCOUNT: String(TRIES),
      SIGN_IN_TRIES_PER_ADDRESS: '6',
      SIGN_UPS_PER_ADDRESS: '100',
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await identity.stop();
});

const EMAIL = 'ada@example.org';
const lockOut = async (email = EMAIL) => {
  for (let nth = 1; nth <= TRIES; nth++) {
    await identity.logIn(email, WRONG, { address: `203.0.113.${nth}` });
  }
  expect((await identity.logIn(email)).status).toBe(429);
};
const statusWith = async (device: string, password = PASSWORD, email = EMAIL) =>
  (await identity.logIn(email, password, { device })).status;

test('guesses from unknown browsers never lock out a browser that has signed in before', async () => {
  await identity.signUp(EMAIL);
  const device = deviceOf(await identity.logIn(EMAIL));
  await lockOut();
  const answer = await identity.logIn(EMAIL, PASSWORD, { device });
  expect(answer.status).toBe(200);
  expect(await statusWith(deviceOf(answer))).toBe(200);
  expect((await identity.logIn(EMAIL)).status).toBe(429);
});

test('outsiders in the same network do not lock out a known browser either', async () => {
  const { device } = await identity.signUp(EMAIL);
  for (let nth = 1; nth <= 6; nth++) await identity.logIn(`guess${nth}@example.org`, WRONG);
  expect((await identity.logIn(EMAIL)).status).toBe(429);
  expect(await statusWith(device)).toBe(200);
});

test('guesses from a known browser are limited too, and lock out no other browser', async () => {
  const { device } = await identity.signUp(EMAIL);
  for (let nth = 1; nth <= TRIES; nth++) expect(await statusWith(device, WRONG)).toBe(401);
  const refused = await identity.logIn(EMAIL, PASSWORD, { device });
  expect(refused.headers.get('retry-after')).toBe('900');
  expect(await errorOf(refused)).toMatchObject({
    code: 'RATE_LIMITED',
    error: 'Too many failed sign-ins for this account. Please try again in 15 minutes.',
  });
  const other = await identity.logIn(EMAIL);
  expect(other.status).toBe(200);
  expect(await statusWith(deviceOf(other))).toBe(200);
});

test('a known browser that signs in does not clear what outsiders have guessed', async () => {
  const { device } = await identity.signUp(EMAIL);
  for (let nth = 1; nth < TRIES; nth++) await identity.logIn(EMAIL, WRONG);
  expect(await statusWith(device)).toBe(200);
  expect((await identity.logIn(EMAIL, WRONG)).status).toBe(401);
  expect((await identity.logIn(EMAIL, WRONG)).status).toBe(429);
});

test('each sign-in gives another cookie; a failed one gives none', async () => {
  const first = (await identity.signUp(EMAIL)).device;
  const second = deviceOf(await identity.logIn(EMAIL, PASSWORD, { device: first }));
  expect(second).not.toBe('');
  expect(second).not.toBe(first);
  const failed = await identity.logIn(EMAIL, WRONG, { device: second });
  expect(failed.headers.getSetCookie()).toEqual([]);
});

test('the cookie of one account makes no browser known to another', async () => {
  await identity.signUp(EMAIL);
  const { device } = await identity.signUp('eve@example.org');
  await lockOut();
  expect(await statusWith(device)).toBe(429);
});

test.each([
  ['made up', () => 'AAAAAAAAAAAAAAAAAAAAAA.99999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['cut off', (device: string) => device.slice(0, -1)],
  ['with another id', (device: string) => `${device[0] === 'A' ? 'B' : 'A'}${device.slice(1)}`],
  ['with a later end', (device: string) => device.replace(/\.(\d+)\./, (_, end) => `.${Number(end) + 1}.`)],
  ['with more behind it', (device: string) => `${device}A`],
])('a cookie %s makes no browser known', async (_, forge) => {
  const { device } = await identity.signUp(EMAIL);
  await lockOut();
  expect(await statusWith(forge(device))).toBe(429);
  expect(await statusWith(device)).toBe(200);
});

test('a browser is forgotten after a year without a sign-in', async () => {
  const { device } = await identity.signUp(EMAIL);
  await identity.clock.advance(365 * DAY_MS - 1_000);
  await lockOut();
  expect(await statusWith(device)).toBe(200);
  await identity.clock.advance(1_000);
  expect(await statusWith(device)).toBe(429);
});

test('a password change forgets every browser but the one that changed it', async () => {
  const { user: as, device } = await identity.signUp(EMAIL);
  const newPassword = 'another password';
  const changed = await identity.send('POST', '/api/auth/password', {
    as,
    device,
    body: { currentPassword: PASSWORD, newPassword },
  });
  await lockOut();
  expect(await statusWith(device, newPassword)).toBe(429);
  expect(await statusWith(deviceOf(changed), newPassword)).toBe(200);
});

test('signing out everywhere forgets every browser and removes the cookie of this one', async () => {
  const { user: as, device } = await identity.signUp(EMAIL);
  const answer = await identity.send('POST', '/api/auth/logout-everywhere', { as, device });
  expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^device=; Max-Age=0/));
  await lockOut();
  expect(await statusWith(device)).toBe(429);
});

test('signing out leaves the browser known', async () => {
  const { sid, device } = await identity.signUp(EMAIL);
  const answer = await identity.send('POST', '/api/auth/logout', { sid, device });
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^sid=;/)]);
  await lockOut();
  expect(await statusWith(device)).toBe(200);
});

test('nothing of a deleted account makes a browser known, also when its address signs up again', async () => {
  const { user: as, device } = await identity.signUp(EMAIL);
  const answer = await identity.send('DELETE', '/api/auth/me', { as, body: { currentPassword: PASSWORD } });
  expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^device=; Max-Age=0/));
  await identity.signUp(EMAIL);
  await lockOut();
  expect(await statusWith(device)).toBe(429);
});

test('the cookie is for the server alone, lives for a year, and does not identify its owner', async () => {
  const { user } = await identity.signUp(EMAIL);
  const answers = [await identity.logIn(EMAIL), await identity.logIn(EMAIL)];
  const [first = '', second = ''] = answers.map((answer) => answer.headers.getSetCookie()[1]);
  expect(first).toMatch(/^device=[\w.-]+; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  const [id, , signature] = deviceOf(answers[0] ?? Response.error()).split('.');
  const [otherId, , otherSignature] = deviceOf(answers[1] ?? Response.error()).split('.');
  expect(id).not.toBe(otherId);
  expect(signature).not.toBe(otherSignature);
  for (const secret of [user.id, user.email, 'ada']) {
    for (const text of [first, second]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('base64url'));
    }
  }
});

test('over HTTPS the cookie is Secure and can be set by this host alone', async () => {
  const https = await startIdentity({ env: { PUBLIC_URL: 'https://casewatch.example' } });
  try {
    await https.signUp(EMAIL);
    const answer = await https.logIn(EMAIL);
    expect(answer.headers.getSetCookie()[1]).toMatch(/^__Host-device=[^;]+;.*; Path=\/;.*; Secure/);
    expect(answer.headers.getSetCookie()[1]).not.toContain('Domain');
  } finally {
    await https.stop();
  }
});
