import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorOf, PASSWORD } from './identity-fixture.ts';
import { type RecoveryFixture, startRecovery } from './recovery-fixture.ts';

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'another long sentence';

let identity: RecoveryFixture;
// Limits count real time: only the date is moved, timers and sockets run on.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(async () => {
  vi.useRealTimers();
  await identity.stop();
});

const start = async (env: Record<string, string>) => {
  identity = await startRecovery({ env });
};
const passMinutes = async (minutes: number) => {
  vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
  await identity.clock.advance(minutes * MINUTE_MS);
};
/** Every request from another network. */
let networks = 0;
const somewhere = () => `198.${18 + (++networks >> 16)}.${(networks >> 8) & 255}.${networks & 255}`;
const signUpAgain = (email: string) =>
  identity.send('POST', '/api/auth/signup', {
    body: { email, password: NEW_PASSWORD, firstName: 'Eve', lastName: 'Other' },
    address: somewhere(),
  });

test('one account e-mails few addresses an hour, and twice as many a day, from wherever it asks', async () => {
  await start({ ACCOUNT_MAILS_PER_ACCOUNT: '3' });
  const eve = await identity.signUp('eve@example.org');
  await identity.forgetPublished();
  let target = 0;
  const flood = async () => {
    const answers: Response[] = [];
    for (let turn = 0; turn < 5; turn++) {
      answers.push(await identity.move(eve, `outsider-${++target}@example.org`, somewhere()));
    }
    return answers;
  };
  const first = await flood();
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(first[3]?.headers.get('retry-after')).toBe('3600');
  expect(await errorOf(first[3] as Response)).toMatchObject({
    code: 'RATE_LIMITED',
    error: 'Too many emails were requested by this account. Please try again in 60 minutes.',
  });
  await passMinutes(60);
  expect((await flood()).map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  await passMinutes(60);
  const third = await flood();
  expect(third.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  expect(third[0]?.headers.get('retry-after')).toBe(String(22 * 3_600));
  expect((await errorOf(third[0] as Response)).error).toMatch(/ Please try again in 22 hours\.$/);
  expect(await identity.requested()).toHaveLength(6);
});

test('links that are sent again count for the account, too', async () => {
  await start({ ACCOUNT_MAILS_PER_ACCOUNT: '2' });
  const eve = await identity.signUp('eve@example.org');
  const again = () =>
    identity.send('POST', '/api/auth/email/confirmation', { as: eve.user, address: somewhere() });
  expect((await identity.move(eve, 'outsider@example.org', somewhere())).status).toBe(200);
  expect((await again()).status).toBe(202);
  const refused = await again();
  expect(refused.headers.get('retry-after')).toBe('3600');
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
});

test('one network, which an IPv6 /64 is, e-mails few addresses an hour, whatever accounts it has', async () => {
  await start({ ACCOUNT_MAILS_PER_NETWORK: '3' });
  const accounts = await Promise.all([1, 2, 3, 4].map((one) => identity.signUp(`eve-${one}@example.org`)));
  const [a, b, c, d] = accounts;
  if (!a || !b || !c || !d) throw new Error('sign-ups are missing');
  const as = (user: typeof a) => ({ as: user.user });
  expect((await identity.move(a, 'one@example.org', '2001:db8:1:2::1')).status).toBe(200);
  expect((await identity.forgot('two@example.org', '2001:db8:1:2:ffff::2')).status).toBe(202);
  const again = (address: string) =>
    identity.send('POST', '/api/auth/email/confirmation', { ...as(b), address });
  expect((await again('2001:0db8:0001:0002:1::3')).status).toBe(202);
  const refused = [
    await identity.move(c, 'three@example.org', '2001:db8:1:2::4'),
    await again('2001:db8:1:2::5'),
    await identity.forgot('four@example.org', '2001:db8:1:2::6'),
  ];
  for (const answer of refused) {
    expect(answer.headers.get('retry-after')).toBe('3600');
    expect(await errorOf(answer)).toMatchObject({
      status: 429,
      error: 'Too many emails were requested from your network. Please try again in 60 minutes.',
    });
  }
  expect((await identity.move(d, 'three@example.org', '2001:db8:1:3::4')).status).toBe(200);
});

test('what a network or a recipient is refused costs the account nothing', async () => {
  await start({
    ACCOUNT_MAILS_PER_ADDRESS: '1',
    ACCOUNT_MAILS_PER_ACCOUNT: '2',
    ACCOUNT_MAILS_PER_NETWORK: '3',
  });
  const ada = await identity.verified('ada@example.org');
  const eve = await identity.signUp('eve@example.org');
  const home = '203.0.113.5';
  expect((await identity.move(eve, 'wanted@example.org', somewhere())).status).toBe(200);
  for (let turn = 0; turn < 5; turn++) {
    expect((await identity.move(ada, 'wanted@example.org', home)).status).toBe(429);
  }
  expect((await identity.move(ada, 'other@example.org', home)).status).toBe(200);
  expect((await identity.move(ada, 'another@example.org', home)).status).toBe(200);
});

test('an address gets few e-mails of sign-ups and changes an hour, and the refusal is the same with and without an account', async () => {
  await start({ ACCOUNT_MAILS_PER_ADDRESS: '2' });
  await identity.verified('known@example.org');
  await passMinutes(61);
  await identity.forgetPublished();
  const errors: unknown[] = [];
  for (const target of ['known@example.org', 'unknown@example.org']) {
    for (let turn = 0; turn < 3; turn++) {
      const eve = await identity.signUp(`eve-${turn}-${target}`);
      const answer = await identity.move(eve, target, somewhere());
      if (turn < 2) expect(answer.status).toBe(200);
      else errors.push([answer.headers.get('retry-after'), await errorOf(answer)]);
    }
  }
  expect(errors[0]).toEqual(errors[1]);
  expect(errors[0]).toMatchObject(['3600', { status: 429, code: 'RATE_LIMITED' }]);
  expect((await signUpAgain('known@example.org')).status).toBe(409);
  expect(await identity.mailsTo('known@example.org')).toHaveLength(2);
});

test('however often others request a reset, its owner has a link that works for a quarter of an hour', async () => {
  await start({});
  const owner = 'owner@example.org';
  await identity.verified(owner);
  const eve = await identity.signUp('eve@example.org');
  for (let minute = 0; minute <= 75; minute += 5) {
    for (let turn = 0; turn < 3; turn++) expect((await identity.forgot(owner, somewhere())).status).toBe(202);
    await signUpAgain(owner);
    await identity.move(eve, owner, somewhere());
    expect((await identity.forgot(owner, '203.0.113.80')).status).toBe(202);
    const links = (await identity.mailsTo(owner)).filter(({ kind }) => kind === 'reset-password');
    const ageMs = identity.clock.nowMs() - Date.parse(links.at(-1)?.requestedAt ?? '');
    expect(ageMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    await passMinutes(5);
  }
  const rows = await identity.database.query<{ kind: string }>(
    'SELECT kind FROM identity.account_mails WHERE email = $1',
    [owner],
  );
  const resets = rows.filter(({ kind }) => kind === 'reset-password');
  expect(resets.length, 'two in a quarter of an hour').toBeLessThanOrEqual(2 * 6);
  await passMinutes(10);
  const link = await identity.linkTo(owner, 'reset-password');
  expect((await identity.reset(link, NEW_PASSWORD)).status).toBe(200);
});

test('a thief who ends the owner’s links with new passwords does not use up the next ones', async () => {
  await start({});
  const owner = 'owner@example.org';
  const { user } = await identity.verified(owner);
  for (let turn = 0; turn < 2; turn++) await identity.forgot(owner, somewhere());
  const dead = await identity.linkTo(owner, 'reset-password');
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect((await identity.send('POST', '/api/auth/password', { as: user, body })).status).toBe(200);
  expect((await identity.reset(dead, 'a third long sentence')).status).toBe(400);
  await identity.forgot(owner, somewhere());
  const link = await identity.linkTo(owner, 'reset-password');
  expect((await identity.reset(link, 'a third long sentence')).status).toBe(200);
  await identity.forgot(owner, somewhere());
  expect(await identity.kindsTo(owner), 'nor does a reset').toContain('reset-password');
});

test('requests for a new address from before it was proven do not keep its owner from a link', async () => {
  await start({});
  const ada = await identity.verified('old@example.org');
  await identity.move(ada, 'new@example.org');
  for (let turn = 0; turn < 5; turn++) await identity.forgot('new@example.org', somewhere());
  await identity.confirm(await identity.linkTo('new@example.org', 'change-email'));
  // As they are dropped when they are sent: no account had the address.
  await identity.database.query("DELETE FROM identity.account_mails WHERE kind = 'reset-password'");
  await identity.forgot('new@example.org');
  const link = await identity.linkTo('new@example.org', 'reset-password');
  expect((await identity.reset(link, NEW_PASSWORD)).status).toBe(200);
});

test('a password is changed a few times an hour, and a reset allows it again', async () => {
  await start({});
  const owner = 'owner@example.org';
  const { user } = await identity.verified(owner);
  let current = PASSWORD;
  const change = async (newPassword: string) => {
    const body = { currentPassword: current, newPassword };
    const answer = await identity.send('POST', '/api/auth/password', { as: user, body });
    if (answer.status === 200) current = newPassword;
    return answer;
  };
  for (let turn = 0; turn < 5; turn++) expect((await change(`long sentence ${turn}`)).status).toBe(200);
  const refused = await change('one more long sentence');
  expect(refused.headers.get('retry-after')).toBe('3600');
  expect(await errorOf(refused)).toMatchObject({
    status: 429,
    error:
      'The password was changed too often. You can still reset it by email. Please try again in 60 minutes.',
  });
  await identity.forgot(owner);
  expect((await identity.reset(await identity.linkTo(owner, 'reset-password'), NEW_PASSWORD)).status).toBe(
    200,
  );
  current = NEW_PASSWORD;
  await identity.logIn(owner, current);
  expect((await change('one more long sentence')).status).toBe(200);
});

test('where no e-mails are sent a password is changed as often as its owner likes', async () => {
  await start({ ACCOUNT_MAILS: 'false' });
  const { user } = await identity.signUp('owner@example.org');
  let currentPassword = PASSWORD;
  for (let turn = 0; turn < 7; turn++) {
    const body = { currentPassword, newPassword: `long sentence ${turn}` };
    expect((await identity.send('POST', '/api/auth/password', { as: user, body })).status).toBe(200);
    currentPassword = body.newPassword;
  }
});

test('the owner gets a few notices of one kind an hour, and those of the others', async () => {
  await start({});
  const owner = 'owner@example.org';
  await identity.verified(owner);
  for (let turn = 0; turn < 14; turn++) expect((await identity.logIn(owner)).status).toBe(200);
  const kinds = await identity.kindsTo(owner);
  expect(kinds.filter((kind) => kind === 'new-device')).toHaveLength(10);
  await identity.forgot(owner);
  await identity.reset(await identity.linkTo(owner, 'reset-password'), NEW_PASSWORD);
  expect(await identity.kindsTo(owner)).toContain('password-changed');
  await passMinutes(61);
  await identity.logIn(owner, NEW_PASSWORD);
  expect((await identity.kindsTo(owner)).filter((kind) => kind === 'new-device')).toHaveLength(11);
});

test('a mailbox gets few e-mails of sign-ups and changes an hour, however its address is spelled', async () => {
  await start({});
  const spellings = ['ada.l+1@gmail.com', 'a.d.a.l@googlemail.com', 'ADAL+x+y@Gmail.com'];
  for (const spelling of spellings) await identity.signUp(spelling, { address: somewhere() });
  const sent = async () =>
    (await identity.database.query("SELECT 1 FROM identity.account_mails WHERE email ILIKE '%mail.com'"))
      .length;
  expect(await sent()).toBe(3);
  const statuses: number[] = [];
  for (const spelling of ['adal@gmail.com', 'adal+2@gmail.com', 'adal+3@gmail.com', 'a.dal@gmail.com']) {
    const eve = await identity.signUp(`eve-${statuses.length}@example.org`, { address: somewhere() });
    statuses.push((await identity.move(eve, spelling, somewhere())).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
  await identity.signUp('ad.al@gmail.com', { address: somewhere() });
  expect(await sent()).toBe(5);
});

test('links that reset the password of one spelling leave those of another to its owner', async () => {
  await start({});
  await identity.verified('ada@example.org');
  for (let turn = 0; turn < 5; turn++) await identity.forgot(`ada+${turn}@example.org`, somewhere());
  for (let turn = 0; turn < 5; turn++) await identity.forgot('ada+0@example.org', somewhere());
  await identity.forgot('ada@example.org', somewhere());
  const link = await identity.linkTo('ada@example.org', 'reset-password');
  expect((await identity.reset(link, NEW_PASSWORD)).status).toBe(200);
});

test('the accounts of one mailbox together get a few links an hour that prove it', async () => {
  await start({ ACCOUNT_MAILS_PER_ADDRESS: '1' });
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    const { user } = await identity.signUp(`ada+${turn}@example.org`, { address: somewhere() });
    const again = { as: user, address: somewhere() };
    statuses.push((await identity.send('POST', '/api/auth/email/confirmation', again)).status);
  }
  expect(statuses).toEqual([202, 202, 202, 202, 429, 429]);
});
