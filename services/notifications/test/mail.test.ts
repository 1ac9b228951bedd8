import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe-token.ts';
import { MAIL_SECRET, type MailFixture, PUBLIC_URL, startMailing } from './mail-fixture.ts';
import { RECEIPT, startNotifications } from './notifications-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** For each look: an attempt in progress ends well within its lease, and long before e-mails are abandoned. */
const A_LITTLE_MS = 3_000;
const PATIENCE = { timeout: 60_000, interval: 100 };
/** For tests that start another process, or wait for many e-mails. */
const PATIENT = { timeout: 90_000 };

let mailing: MailFixture;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
beforeAll(async () => {
  telemetry = await startScraped();
  mailing = await startMailing({ env: { MAIL_GIVE_UP_HOURS: '1' }, telemetry });
});
afterEach(() => mailing.calm());
afterAll(async () => {
  await mailing.stop();
  await telemetry.stop();
});

test('a change becomes one e-mail, at once, and the delivery log says so', async () => {
  const { userId, email } = mailing.person();
  const counted = async () => {
    const values = await telemetry.scrape();
    return ['sent', 'retried', 'failed', 'skipped'].map(
      (result) => values[`casewatch_mails_total{result="${result}"}`] ?? Number.NaN,
    );
  };
  const before = await counted();
  mailing.directory.nicknames.set(userId, 'Green card');
  const id = await mailing.statusChanged(userId, { oldStatus: 'Case Was Received' });
  await mailing.becomes(id, 'sent');
  const [mail] = mailing.server.to(email);
  expect(mailing.server.to(email)).toHaveLength(1);
  expect(mail?.parsed).toMatchObject({
    from: { name: 'Casewatch', address: 'notices@casewatch.example.com' },
    to: [{ address: email }],
    subject: 'Case Was Approved: Green card (EAC******3403)',
    messageId: expect.stringContaining(`<${id}.status-changed.`),
  });
  // The header has no fractions of a second, and other tests leave the clock between two.
  expect(Date.parse(mail?.parsed.date ?? '')).toBe(Math.floor(mailing.clock.nowMs() / 1_000) * 1_000);
  await expect.poll(async () => ((await counted())[0] ?? 0) - (before[0] ?? 0)).toBeGreaterThanOrEqual(1);
  // From 0, so that a rate has a beginning.
  expect(before).not.toContain(Number.NaN);
  expect(mail?.raw).not.toContain(RECEIPT);
  const headers = new Map(mail?.parsed.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(headers.get('list-unsubscribe')).toMatch(
    new RegExp(`^<${PUBLIC_URL}/api/notifications/unsubscribe\\?token=[\\w.-]+>$`),
  );
  expect(mail?.parsed.text).toMatch(
    /^Your case Green card \(EAC\*{6}3403\) has a new status: Case Was Approved\.\n\nOld status: Case Was Received\n/,
  );
  expect(mail?.parsed.text).toContain(`${PUBLIC_URL}/notifications/${id}`);
  expect(mail?.parsed.text).toContain('not affiliated with any government agency');
  expect(await mailing.rowOf(id)).toMatchObject({ attempts: 1, last_error: null, next_attempt_at: null });
});

test('an e-mail is in the language that the account has when it is sent', async () => {
  const { userId, email } = mailing.person();
  mailing.directory.languages.set(userId, 'es');
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
  const [mail] = mailing.server.to(email);
  expect(mail?.parsed.subject).toBe('El caso fue aprobado: EAC******3403');
  expect(mail?.parsed.text).toContain('tiene un estatus nuevo: El caso fue aprobado.\n');
  expect(mail?.parsed.html).toContain('<html lang="es"');
  const headers = new Map(mail?.parsed.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('content-language')).toBe('es');
});

test(
  'without SMTP_URL and MAIL_SECRET nothing is queued, e-mails are not offered, and links of earlier ones are refused',
  PATIENT,
  async () => {
    const off = await startNotifications();
    const { userId, email } = mailing.person();
    await off.statusChanged(userId);
    expect(await off.database.query('SELECT 1 FROM notifications.deliveries')).toEqual([]);
    const answer = await off.call('GET', '/api/notifications/preferences', { as: { userId } });
    expect(await answer.json()).toEqual({ email: true, emailOffered: false });
    const token = createUnsubscribeTokens([MAIL_SECRET]).issue({ userId, email }, 'status');
    const link = `${off.url}/api/notifications/unsubscribe?token=${token}`;
    expect((await fetch(link, { method: 'POST' })).status).toBe(400);
    await off.stop();
  },
);

test('of three processes each e-mail is sent by one', PATIENT, async () => {
  const others = [await mailing.another(), await mailing.another()];
  const people = Array.from({ length: 60 }, () => mailing.person());
  const ids = await Promise.all(people.map(({ userId }) => mailing.statusChanged(userId)));
  for (const id of ids) await mailing.becomes(id, 'sent');
  for (const { email } of people) expect(mailing.server.to(email)).toHaveLength(1);
  for (const other of others) await other.stop();
});

test(
  'an e-mail that the server took without our knowing is sent again under the same message id',
  PATIENT,
  async () => {
    const { userId, email } = mailing.person();
    const speak = mailing.server.keepSilent();
    const id = await mailing.statusChanged(userId);
    await expect.poll(() => mailing.server.to(email).length).toBe(1);
    // The process counts as dead: its lease ends, and another one takes over.
    const other = await mailing.another();
    await expect
      .poll(async () => {
        await mailing.clock.advance(MINUTE_MS);
        return mailing.server.to(email).length;
      }, PATIENCE)
      .toBe(2);
    speak();
    await mailing.becomes(id, 'sent');
    const ids = mailing.server.to(email).map(({ parsed }) => parsed.messageId);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await mailing.rowOf(id)).toMatchObject({ state: 'sent', attempts: 2 });
    await other.stop();
  },
);

test('a process whose clock is a day ahead sends nothing that another one is sending', PATIENT, async () => {
  const [first, second] = [mailing.person(), mailing.person()];
  const speak = mailing.server.keepSilent();
  const id = await mailing.statusChanged(first.userId);
  await expect.poll(() => mailing.server.to(first.email).length, PATIENCE).toBe(1);
  // The first process waits for the server: this one is left to the other.
  const next = await mailing.statusChanged(second.userId);
  const { nowMs } = mailing.clock;
  const ahead = await mailing.another({ clock: { ...mailing.clock, nowMs: () => nowMs() + DAY_MS } });
  await expect.poll(() => mailing.server.to(second.email).length, PATIENCE).toBe(1);
  speak();
  for (const one of [id, next]) await mailing.becomes(one, 'sent');
  for (const { email } of [first, second]) expect(mailing.server.to(email)).toHaveLength(1);
  await ahead.stop();
});

test('what a process whose clock is a day ahead queues is due at once for all', PATIENT, async () => {
  const { userId } = mailing.person();
  const { nowMs } = mailing.clock;
  const ahead = await mailing.another({ clock: { ...mailing.clock, nowMs: () => nowMs() + DAY_MS } });
  const id = await ahead.statusChanged(userId);
  await mailing.becomes(id, 'sent');
  expect((await mailing.rowOf(id))?.queued_at).toEqual(new Date(nowMs()));
  await ahead.stop();
});

test('what a server puts off is tried again, and then sent', async () => {
  const { userId, email } = mailing.person();
  mailing.server.refuseRecipients(() => 451);
  const id = await mailing.statusChanged(userId);
  await mailing.waitsAfter(id, 1);
  const first = await mailing.rowOf(id);
  expect(first?.last_error).toBe('smtp-451');
  expect(first?.next_attempt_at?.getTime()).toBeGreaterThan(mailing.clock.nowMs() + 20_000);
  await mailing.waitsAfter(id, 2, { passing: 10_000 });
  mailing.server.refuseRecipients(() => undefined);
  await mailing.becomes(id, 'sent', { passing: 10_000 });
  expect(await mailing.rowOf(id)).toMatchObject({ last_error: null, next_attempt_at: null });
  expect(mailing.server.to(email)).toHaveLength(1);
});

test.each([
  ['the recipient', 'smtp-550', (code: number) => mailing.server.refuseRecipients(() => code)],
  ['the message', 'smtp-550', (code: number) => mailing.server.refuseMessages(() => code)],
])(
  'an e-mail is abandoned at once when the server refuses %s for good, and the others go',
  async (_, word, refuse) => {
    const [deleted, there] = [mailing.person(), mailing.person()];
    refuse(550);
    const lost = await mailing.statusChanged(deleted.userId);
    await mailing.becomes(lost, 'failed');
    expect(await mailing.rowOf(lost)).toMatchObject({ attempts: 1, last_error: word });
    mailing.server.refuseRecipients(() => undefined);
    mailing.server.refuseMessages(() => undefined);
    await mailing.becomes(await mailing.statusChanged(there.userId), 'sent');
    expect(mailing.server.to(deleted.email)).toEqual([]);
    expect(await mailing.rowOf(lost)).toMatchObject({ state: 'failed', next_attempt_at: null });
  },
);

test('while the server is unavailable everything waits, and is sent when it recovers', PATIENT, async () => {
  await mailing.road.set('refuse');
  const people = Array.from({ length: 60 }, () => mailing.person());
  const ids = await Promise.all(people.map(({ userId }) => mailing.statusChanged(userId)));
  const states = async () => (await Promise.all(ids.map(mailing.rowOf))).map((row) => row?.state);
  await expect
    .poll(
      async () => (await Promise.all(ids.map(mailing.rowOf))).filter((row) => row?.last_error).length,
      PATIENCE,
    )
    .toBeGreaterThan(0);
  expect(new Set(await states())).toEqual(new Set(['queued']));
  await mailing.road.set('pass');
  for (const id of ids) await mailing.becomes(id, 'sent', { passing: 10_000 });
  for (const { email } of people) expect(mailing.server.to(email)).toHaveLength(1);
});

test.each([
  ['the daily quota is used up', '550 5.4.5 Daily user sending limit exceeded'],
  ['the account is throttled', '454 4.7.0 Throttling failure: maximum sending rate exceeded'],
  ['relaying is denied', '554 5.7.1 Relay access denied'],
  ['the sender is not verified', '554 Message rejected: email address is not verified'],
  ['the sign-in is asked for again', '530 5.7.0 Authentication required'],
])(
  'while %s every e-mail waits, however long it lasts, and is sent when it is over',
  PATIENT,
  async (_, reply) => {
    const [first, second] = [mailing.person(), mailing.person()];
    mailing.server.refuseMessages(() => reply);
    const ids = [await mailing.statusChanged(first.userId), await mailing.statusChanged(second.userId)];
    const states = async () => (await Promise.all(ids.map(mailing.rowOf))).map((row) => row?.state);
    const errors = async () =>
      (await Promise.all(ids.map(mailing.rowOf))).map((row) => row?.last_error ?? '').join();
    await expect.poll(errors, PATIENCE).toContain(`emessage-${reply.slice(0, 3)}`);
    // Longer than MAIL_GIVE_UP_HOURS.
    for (let minutes = 0; minutes < 90; minutes += 10) await mailing.clock.advance(10 * MINUTE_MS);
    expect(await states()).toEqual(['queued', 'queued']);
    mailing.server.refuseMessages(() => undefined);
    for (const id of ids) await mailing.becomes(id, 'sent', { passing: 10_000 });
    for (const { email } of [first, second]) expect(mailing.server.to(email)).toHaveLength(1);
  },
);

test('an e-mail that can not be sent for MAIL_GIVE_UP_HOURS is abandoned', PATIENT, async () => {
  mailing.server.refuseRecipients(() => 451);
  const id = await mailing.statusChanged(mailing.person().userId);
  await mailing.waitsAfter(id, 1);
  await mailing.clock.advance(61 * MINUTE_MS);
  await mailing.becomes(id, 'failed', { passing: MINUTE_MS });
  expect((await mailing.rowOf(id))?.last_error).toBe('expired');
});

test('a user who turned e-mails off gets none, also none that was queued before', async () => {
  const { userId, email } = mailing.person();
  await mailing.road.set('refuse');
  const queued = await mailing.statusChanged(userId);
  await mailing.waitsAfter(queued, 1);
  const choose = (wanted: boolean) =>
    mailing.call('PUT', '/api/notifications/preferences', { as: { userId }, body: { email: wanted } });
  expect(await (await choose(false)).json()).toEqual({ email: false, emailOffered: true });
  const later = await mailing.statusChanged(userId);
  expect(await mailing.rowOf(later)).toMatchObject({ state: 'skipped', last_error: 'opted-out' });
  await mailing.road.set('pass');
  await mailing.becomes(queued, 'skipped', { passing: A_LITTLE_MS });
  expect(mailing.server.to(email)).toEqual([]);
  await choose(true);
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
});

test('the address is the current one at sending, and a deleted user gets nothing', async () => {
  const [moved, deleted] = [mailing.person(), mailing.person()];
  await mailing.road.set('refuse');
  const first = await mailing.statusChanged(moved.userId);
  const second = await mailing.statusChanged(deleted.userId);
  // Both between two attempts: an attempt in progress already has its address.
  for (const id of [first, second]) await mailing.waitsAfter(id, 1, { passing: 500 });
  mailing.directory.emails.set(moved.userId, 'new@people.example');
  mailing.directory.emails.delete(deleted.userId);
  await mailing.road.set('pass');
  await mailing.becomes(first, 'sent', { passing: A_LITTLE_MS });
  await mailing.becomes(second, 'skipped', { passing: A_LITTLE_MS });
  expect(mailing.server.to('new@people.example')).toHaveLength(1);
  expect([...mailing.server.to(moved.email), ...mailing.server.to(deleted.email)]).toEqual([]);
  expect((await mailing.rowOf(second))?.last_error).toBe('no-account');
});

test('a deleted user’s delivery log is deleted and nothing more is sent', async () => {
  const { userId, email } = mailing.person();
  await mailing.road.set('refuse');
  const id = await mailing.statusChanged(userId);
  await mailing.waitsAfter(id, 1);
  await mailing.userDeleted(userId);
  expect(await mailing.rowOf(id)).toBeUndefined();
  await mailing.road.set('pass');
  const other = await mailing.statusChanged(mailing.person().userId);
  await mailing.becomes(other, 'sent', { passing: A_LITTLE_MS });
  await mailing.call('PUT', '/api/notifications/preferences', { as: { userId }, body: { email: true } });
  expect(await mailing.rowOf(await mailing.statusChanged(userId))).toBeUndefined();
  expect(mailing.server.to(email)).toEqual([]);
});

test('a nickname can neither add a header nor a tag', async () => {
  const { userId, email } = mailing.person();
  const nasty = 'A\r\nBcc: evil@evil.example\r\n\r\n<img src=x onerror=alert(1)>';
  mailing.directory.nicknames.set(userId, nasty);
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
  const [mail] = mailing.server.to(email);
  expect(mailing.server.to('evil@evil.example')).toEqual([]);
  expect(mail?.parsed.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail?.parsed.subject).toBe(
    'Case Was Approved: A Bcc: evil@evil.example <img src=x onerror=alert(1)> (EAC******3403)',
  );
  expect(mail?.parsed.html).not.toContain('<img');
  expect(mail?.parsed.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

test(
  'a burst is pushed to open browsers while no e-mail gets through, over no more connections than allowed',
  PATIENT,
  async () => {
    const { userId, email } = mailing.person();
    const stream = await mailing.stream(userId);
    await stream.next();
    const speak = mailing.server.keepSilent();
    const statuses = Array.from({ length: 60 }, (_, nth) => `burst ${nth}`);
    const ids = await Promise.all(statuses.map((newStatus) => mailing.statusChanged(userId, { newStatus })));
    const pushed: string[] = [];
    while (pushed.length < statuses.length) pushed.push((await stream.nextNotification()).newStatus);
    expect(pushed).toEqual(statuses);
    expect(mailing.server.to(email).length).toBeLessThanOrEqual(2);
    speak();
    for (const id of ids) await mailing.becomes(id, 'sent');
    const messageIds = mailing.server.to(email).map(({ parsed }) => parsed.messageId);
    expect(new Set(messageIds).size).toBe(statuses.length);
    // Two of each process: three of them ran side by side.
    expect(mailing.server.mostConnections()).toBeLessThanOrEqual(6);
    await stream.close();
  },
);
