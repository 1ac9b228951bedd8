import { randomUUID } from 'node:crypto';
import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import type { DateNotification } from '@casewatch/contracts/notifications';
import type { OpenDate } from '@casewatch/contracts/saved-case-dates';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailFixture, startMailing } from './mail-fixture.ts';
import { RECEIPT } from './notifications-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PASS_MS = 300_000;

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterAll(() => mailing.stop());
beforeEach(() => {
  mailing.directory.openDates.length = 0;
});

const dayIn = (days: number) => new Date(mailing.clock.nowMs() + days * DAY_MS).toISOString().slice(0, 10);

/** From this hour until three hours later. */
function quietNow() {
  const hour = new Date(mailing.clock.nowMs()).getUTCHours();
  const written = (one: number) => `${String(one % 24).padStart(2, '0')}:00`;
  return { from: written(hour), until: written(hour + 3) };
}

/** A user with a date so many days ahead, which was entered long before. */
async function withDate(days: number, settings: object = {}) {
  const { userId, email } = mailing.person();
  mailing.directory.nicknames.set(userId, 'Mom');
  const date: OpenDate = {
    userId,
    receiptNumber: RECEIPT,
    id: randomUUID(),
    kind: 'respond-by',
    day: dayIn(days),
    label: 'RFE',
    setAt: '2020-01-01T00:00:00Z',
  };
  // The reminder is due since the beginning of this hour.
  const digestHour = new Date(mailing.clock.nowMs()).getUTCHours();
  await choose(userId, { timeZone: 'UTC', digestHour, ...settings });
  mailing.directory.openDates.push(date);
  return { userId, email, date };
}
async function listOf(userId: string): Promise<DateNotification[]> {
  const answer = await mailing.call('GET', '/api/notifications', { as: { userId } });
  return (await answer.json()) as DateNotification[];
}
/** The clock is moved once: a longer time would end the lease of an e-mail on its way. */
async function reminded(userId: string): Promise<void> {
  await mailing.clock.advance(PASS_MS);
  await expect.poll(async () => (await listOf(userId)).length, { timeout: 10_000 }).toBe(1);
}
const choose = async (userId: string, settings: object) => {
  const body = { ...DEFAULTS, ...settings };
  const answer = await mailing.call('PUT', '/api/notifications/settings', { as: { userId }, body });
  expect(answer.status).toBe(200);
};
test('a date that comes near is one notification and one e-mail, once, whatever passes and processes there are', async () => {
  const { userId, email, date } = await withDate(7);
  // Its first pass makes the reminder. The clock stands still until the e-mail is sent: its lease would end.
  const other = await mailing.another();
  await expect.poll(async () => (await listOf(userId)).length, { timeout: 10_000 }).toBe(1);
  await mailing.becomes((await listOf(userId))[0]?.id ?? '', 'sent');
  for (let nth = 0; nth < 5; nth += 1) await mailing.clock.advance(PASS_MS);
  const [notification, ...others] = await listOf(userId);
  expect(others).toEqual([]);
  expect(notification).toMatchObject({
    userId,
    kind: 'date',
    receiptNumber: RECEIPT,
    dateId: date.id,
    dateKind: 'respond-by',
    day: date.day,
    label: 'RFE',
    read: false,
  });
  const [mail, ...more] = mailing.server.to(email);
  expect(more).toEqual([]);
  expect(mail?.parsed.subject).toMatch(/^Respond by \w+ \d+, \d{4}: Mom \(.*3403\)$/);
  expect(mail?.parsed.text).toContain('RFE');
  expect(mail?.parsed.text).not.toContain(RECEIPT);
  await other.stop();
});

test('a connection that is killed between the reminder and its commit leaves none, and the next pass makes it', async () => {
  const holder = await mailing.pool.connect();
  const { userId } = await withDate(3);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM recipients WHERE user_id = $1 FOR UPDATE', [userId]);
  const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%date_label%'`;
  let pid: number | undefined;
  await expect
    .poll(async () => {
      await mailing.clock.advance(PASS_MS);
      [{ pid } = { pid: undefined }] = await mailing.database.query<{ pid: number }>(waiting);
      return pid;
    })
    .toBeDefined();
  await mailing.database.query('SELECT pg_terminate_backend($1)', [pid]);
  await holder.query('ROLLBACK');
  holder.release();
  expect(await listOf(userId)).toEqual([]);
  await reminded(userId);
});

test('what is done before the e-mail goes is not sent, and nothing more comes of it', async () => {
  const { userId, email } = await withDate(1, { quietHours: quietNow() });
  await reminded(userId);
  const [notification] = await listOf(userId);
  mailing.directory.openDates.length = 0;
  await mailing.becomes(notification?.id ?? '', 'skipped', { passing: HOUR_MS });
  expect(await listOf(userId)).toHaveLength(1);
  expect(mailing.server.to(email)).toEqual([]);
});

test('in quiet hours the e-mail waits for their end, and a snooze of the case holds none', async () => {
  const { userId, email } = await withDate(1, { quietHours: quietNow() });
  mailing.directory.snoozed.set(userId, new Date(mailing.clock.nowMs() + 30 * DAY_MS).toISOString());
  await reminded(userId);
  expect(mailing.server.to(email)).toEqual([]);
  const [notification] = await listOf(userId);
  await mailing.becomes(notification?.id ?? '', 'sent', { passing: HOUR_MS });
  expect(mailing.server.to(email)).toHaveLength(1);
});

test('who wants no reminders by e-mail or in the app gets none there', async () => {
  const { userId: silent } = await withDate(1, { bell: { ...DEFAULTS.bell, dates: 'never' } });
  const { userId, email } = await withDate(1, { email: { ...DEFAULTS.email, dates: 'never' } });
  await reminded(userId);
  const [notification] = await listOf(userId);
  await mailing.becomes(notification?.id ?? '', 'skipped');
  expect(mailing.server.to(email)).toEqual([]);
  expect(await listOf(silent)).toEqual([]);
});

test('while cases is unavailable nothing is lost', async () => {
  mailing.directory.unavailable.cases = true;
  const { userId } = await withDate(7);
  for (let nth = 0; nth < 3; nth += 1) await mailing.clock.advance(PASS_MS);
  expect(await listOf(userId)).toEqual([]);
  mailing.directory.unavailable.cases = false;
  await reminded(userId);
});

test('a reminder is no newer status of its case, and not among its exported changes', async () => {
  const { userId, email } = await withDate(7);
  await reminded(userId);
  const id = await mailing.statusChanged(userId, { newStatus: 'Case Was Approved' });
  await mailing.becomes(id, 'sent');
  const subjects = mailing.server.to(email).map(({ parsed }) => parsed.subject ?? '');
  expect(subjects.filter((one) => one.startsWith('Earlier status'))).toEqual([]);
  const as = { userId, tier: 'pro' as const };
  const lines = await mailing.call('POST', '/api/notifications/export.ndjson', { as, body: {} });
  expect((await lines.text()).trim().split('\n')).toHaveLength(1);
});

test('reminders are erased with the account, and none comes after', async () => {
  const { userId } = await withDate(7);
  await reminded(userId);
  await mailing.userDeleted(userId);
  for (let nth = 0; nth < 3; nth += 1) await mailing.clock.advance(PASS_MS);
  expect(
    await mailing.database.query('SELECT FROM notifications.notifications WHERE user_id = $1', [userId]),
  ).toEqual([]);
});
