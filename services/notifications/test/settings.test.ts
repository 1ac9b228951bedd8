import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
  type StoppableMail,
} from '@casewatch/contracts/notification-choices';
import { getNotificationSettings } from '@casewatch/contracts/notification-settings';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe-token.ts';
import { digestWaits } from './digest-waits.ts';
import { MAIL_SECRET, type MailFixture, startMailing } from './mail-fixture.ts';
import { newUserId } from './notifications-fixture.ts';

const HOUR_MS = 3_600_000;
const ASKS = 'Request for Initial Evidence Was Sent';
const NO_MAILS = { status: 'never', needsAction: 'never', dates: 'never', digest: 'never' } as const;

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterEach(() => mailing.calm());
afterAll(() => mailing.stop());

const { settled } = digestWaits('email', () => mailing);
const SETTINGS = '/api/notifications/settings';
const PREFERENCES = '/api/notifications/preferences';
const read = async (userId: string): Promise<NotificationSettings> => {
  const answer = await mailing.call('GET', SETTINGS, { as: { userId } });
  return getNotificationSettings.answer.parse(await answer.json()).settings;
};
const put = (userId: string, body: unknown) => mailing.call('PUT', SETTINGS, { as: { userId }, body });
const choose = async (userId: string, changes: Partial<NotificationSettings>) => {
  const answer = await put(userId, { ...DEFAULTS, ...changes });
  expect([answer.status, await answer.json()]).toMatchObject([200, { settings: changes }]);
};
const useSwitch = (userId: string, email: boolean) =>
  mailing.call('PUT', PREFERENCES, { as: { userId }, body: { email } });
/** Quiet hours of UTC that begin an hour before now and end in two. */
const quietNow = () => {
  const clockTime = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  const nowMs = mailing.clock.nowMs();
  return { from: clockTime(nowMs - HOUR_MS), until: clockTime(nowMs + 2 * HOUR_MS) };
};

test('a user who chose nothing has the defaults, which send everything at once', async () => {
  const { userId, email } = mailing.person();
  expect(await read(userId)).toEqual(DEFAULTS);
  await mailing.becomes(await mailing.statusChanged(userId), 'sent');
  expect(mailing.server.to(email)).toHaveLength(1);
});

test('what was chosen is kept, and another user’s is another', async () => {
  const { userId } = mailing.person();
  const own: NotificationSettings = {
    bell: { status: 'never', needsAction: 'immediately', billing: 'immediately' },
    email: { status: 'daily', needsAction: 'immediately', digest: 'weekly' },
    push: { status: 'never', needsAction: 'immediately', billing: 'never' },
    quietHours: { from: '22:00', until: '07:30' },
    timeZone: 'America/New_York',
    digestHour: 18,
    digestDay: 7,
  };
  await choose(userId, own);
  expect(await read(userId)).toEqual(own);
  expect(await read(newUserId())).toEqual(DEFAULTS);
});

test('the answer says on which channels this installation sends', async () => {
  const { userId } = mailing.person();
  const offered = { emailOffered: true, pushOffered: false };
  const answer = await mailing.call('GET', SETTINGS, { as: { userId } });
  expect(await answer.json()).toMatchObject(offered);
  expect(await (await put(userId, DEFAULTS)).json()).toMatchObject(offered);
});

test('a setting that was added after a user chose has its default', async () => {
  const { userId } = mailing.person();
  await choose(userId, { digestHour: 18, digestDay: 7 });
  await mailing.database.query(
    "UPDATE notifications.preferences SET settings = settings - 'digestDay' WHERE user_id = $1",
    [userId],
  );
  expect(await read(userId)).toEqual({ ...DEFAULTS, digestHour: 18 });
});

test('a stored time zone that is not usable counts as none: a digest is made, and an alert waits for quiet hours of UTC', async () => {
  const [daily, quiet] = [mailing.person(), mailing.person()];
  const digestHour = new Date(mailing.clock.nowMs()).getUTCHours();
  await choose(daily.userId, { email: { ...DEFAULTS.email, status: 'daily' }, digestHour });
  await choose(quiet.userId, { quietHours: quietNow() });
  await mailing.database.query(
    `UPDATE notifications.preferences SET settings = settings || '{"timeZone": "PST"}' WHERE user_id = ANY ($1::uuid[])`,
    [[daily.userId, quiet.userId]],
  );
  expect((await read(quiet.userId)).timeZone).toBeNull();
  expect(await mailing.rowOf(await mailing.statusChanged(quiet.userId))).toMatchObject({ state: 'queued' });
  await mailing.statusChanged(daily.userId);
  await mailing.clock.jump(24 * HOUR_MS);
  await settled(daily.userId, 1);
});

test.each([
  ['a time zone that does not exist', { timeZone: 'Mars/Olympus' }],
  ['a name of a time zone that schedules cannot be planned in', { timeZone: 'PST' }],
  [
    'a digest in such a time zone',
    { timeZone: 'SystemV/AST4', email: { ...DEFAULTS.email, status: 'daily' } },
  ],
  ['an offset instead of a time zone', { timeZone: '+05:00' }],
  ['quiet hours without an end', { quietHours: { from: '22:00', until: '22:00' } }],
  ['a time of day that is none', { quietHours: { from: '24:00', until: '07:00' } }],
  ['a bell that comes in a digest', { bell: { ...DEFAULTS.bell, status: 'daily' } }],
  ['push messages about the plan that come in a digest', { push: { ...DEFAULTS.push, billing: 'daily' } }],
  ['an hour that is none', { digestHour: 24 }],
  ['more than is known', { sms: 'immediately' }],
])('%s is refused', async (_, change) => {
  const { userId } = mailing.person();
  expect((await put(userId, { ...DEFAULTS, ...change })).status).toBe(400);
  expect(await read(userId)).toEqual(DEFAULTS);
});

test('in quiet hours an e-mail waits for their end and is then sent once; what needs action is sent at once', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { quietHours: quietNow() });
  const waiting = await mailing.statusChanged(userId);
  const urgent = await mailing.statusChanged(userId, { newStatus: ASKS });
  await mailing.becomes(urgent, 'sent');
  expect(await mailing.rowOf(waiting)).toMatchObject({ state: 'queued', attempts: 0 });
  // The time for which it is tried begins when it is due; it is looked at within the hour.
  const nowMs = mailing.clock.nowMs();
  const untilMs = Math.floor((nowMs + 2 * HOUR_MS) / 60_000) * 60_000;
  expect(await mailing.rowOf(waiting)).toMatchObject({
    queued_at: new Date(untilMs),
    next_attempt_at: new Date(nowMs + HOUR_MS),
  });
  await mailing.clock.jump(2 * HOUR_MS + 60_000);
  await mailing.becomes(waiting, 'sent', { passing: 1_000 });
  expect(mailing.server.to(email)).toHaveLength(2);
});

test('an e-mail that waits comes within an hour after quiet hours were switched off', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { quietHours: quietNow() });
  const waiting = await mailing.statusChanged(userId);
  await mailing.clock.jump(HOUR_MS - 1_000);
  expect(await mailing.rowOf(waiting)).toMatchObject({ state: 'queued', attempts: 0 });
  await choose(userId, { quietHours: null });
  await mailing.clock.jump(1_000);
  await mailing.becomes(waiting, 'sent', { passing: 1_000 });
  expect(mailing.server.to(email)).toHaveLength(1);
});

test('quiet hours that were chosen after an e-mail was queued count too', async () => {
  const { userId, email } = mailing.person();
  await mailing.road.set('refuse');
  const id = await mailing.statusChanged(userId);
  await mailing.waitsAfter(id, 1);
  await choose(userId, { quietHours: quietNow() });
  await mailing.road.set('pass');
  const untilMs = mailing.clock.nowMs() + HOUR_MS;
  await expect
    .poll(
      async () => {
        await mailing.clock.advance(10_000);
        return (await mailing.rowOf(id))?.next_attempt_at?.getTime();
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(untilMs);
  expect(mailing.server.to(email)).toEqual([]);
  await mailing.clock.jump(3 * HOUR_MS);
  await mailing.becomes(id, 'sent', { passing: 1_000 });
});

test('alerts of a snoozed case wait until it wakes, except what needs action', async () => {
  const { userId, email } = mailing.person();
  const begunMs = mailing.clock.nowMs();
  mailing.directory.snoozed.set(userId, new Date(begunMs + 100 * HOUR_MS).toISOString());
  const waiting = await mailing.statusChanged(userId);
  await mailing.becomes(await mailing.statusChanged(userId, { newStatus: ASKS }), 'sent');
  // Within an hour it is looked at again.
  await expect
    .poll(async () => (await mailing.rowOf(waiting))?.next_attempt_at?.getTime())
    .toBeGreaterThanOrEqual(begunMs + HOUR_MS);
  expect(mailing.server.to(email)).toHaveLength(1);
  // Longer than e-mails are tried for: the time counts from when it was due.
  await mailing.clock.jump(100 * HOUR_MS);
  await mailing.becomes(waiting, 'sent', { passing: 1_000 });
});

test('an alert comes within an hour after its snooze was ended early, and waits where its case was removed', async () => {
  const [ended, removed] = [mailing.person(), mailing.person()];
  const until = new Date(mailing.clock.nowMs() + 90 * 24 * HOUR_MS).toISOString();
  const waiting: string[] = [];
  for (const { userId } of [ended, removed]) {
    mailing.directory.snoozed.set(userId, until);
    waiting.push(await mailing.statusChanged(userId));
  }
  for (const id of waiting)
    await expect
      .poll(async () => (await mailing.rowOf(id))?.next_attempt_at?.getTime())
      .toBeGreaterThan(mailing.clock.nowMs() + HOUR_MS - 60_000);
  mailing.directory.snoozed.delete(ended.userId);
  mailing.directory.removed.add(removed.userId);
  await mailing.clock.jump(HOUR_MS);
  await mailing.becomes(waiting[0] ?? '', 'sent', { passing: 1_000 });
  await mailing.waitsAfter(waiting[1] ?? '', 0, { passing: 1_000 });
  expect(await mailing.rowOf(waiting[1] ?? '')).toMatchObject({ state: 'queued', last_error: 'removed' });
  expect(mailing.server.to(ended.email)).toHaveLength(1);
  expect(mailing.server.to(removed.email)).toEqual([]);
});

test('a kind that is not wanted in the bell is neither listed nor counted nor pushed', async () => {
  const { userId } = mailing.person();
  await choose(userId, { bell: { ...DEFAULTS.bell, status: 'never' } });
  const stream = await mailing.stream(userId);
  await stream.next();
  const silent = await mailing.statusChanged(userId, { newStatus: 'Case Was Received' });
  await mailing.becomes(silent, 'sent');
  const asking = await mailing.statusChanged(userId, { newStatus: ASKS });
  expect((await stream.nextNotification()).newStatus).toBe(ASKS);
  expect(await mailing.statuses(userId)).toEqual([ASKS]);
  expect(await mailing.statuses(userId, `?before=${asking}`)).toEqual([]);
  expect((await mailing.list(userId)).unread).toBe(1);
  // The link of its e-mail still leads to the case.
  const opened = await mailing.call('PATCH', `/api/notifications/${silent}/read`, { as: { userId } });
  expect(await opened.json()).toMatchObject({ newStatus: 'Case Was Received' });
  await mailing.becomes(asking, 'sent');
  await stream.close();
});

test('the link of an e-mail stops its kind alone, or all kinds when asked', async () => {
  const tokens = createUnsubscribeTokens([MAIL_SECRET]);
  const { userId, email } = mailing.person();
  const stop = async (kind: StoppableMail, query = '') => {
    const token = tokens.issue({ userId, email }, kind);
    const answer = await fetch(`${mailing.url}/api/notifications/unsubscribe?token=${token}${query}`, {
      method: 'POST',
    });
    expect(answer.status).toBe(200);
    return (await read(userId)).email;
  };
  await choose(userId, { email: { status: 'immediately', needsAction: 'daily', digest: 'daily' } });
  expect(await stop('status')).toEqual({ status: 'never', needsAction: 'daily', digest: 'daily' });
  expect(await stop('digest')).toEqual({ status: 'never', needsAction: 'never', digest: 'never' });
  expect(await stop('dates')).toEqual(NO_MAILS);
  await choose(userId, {});
  expect(await stop('needsAction')).toEqual({ ...DEFAULTS.email, needsAction: 'never' });
  await choose(userId, {});
  expect(await stop('status', '&all=true')).toEqual(NO_MAILS);
});

test('an e-mail names in its header the link of its own kind', async () => {
  const { userId, email } = mailing.person();
  await mailing.becomes(await mailing.statusChanged(userId, { newStatus: ASKS }), 'sent');
  const header = mailing.server.to(email)[0]?.parsed.headers.find(({ key }) => key === 'list-unsubscribe');
  expect(header?.value).toContain(`token=${userId}.needsAction.`);
});

test('two changes at once are made one after the other', async () => {
  const { userId } = mailing.person();
  await Promise.all(Array.from({ length: 8 }, (_, nth) => useSwitch(userId, nth % 2 === 0)));
  expect([DEFAULTS.email, NO_MAILS]).toContainEqual((await read(userId)).email);
});

test('of a deleted user no choice is kept, and none is stored later', async () => {
  const { userId } = mailing.person();
  const push = { ...DEFAULTS.push, status: 'weekly' } as const;
  await choose(userId, { email: { ...DEFAULTS.email, digest: 'daily' }, push });
  await mailing.database.query(
    `INSERT INTO notifications.deliveries (channel, kind, user_id, digest_kind, period, changes, state, queued_at, sent_at)
     VALUES ('email', 'digest', $1, 'daily', '2026-01-05', '{}', 'sent', now(), now())`,
    [userId],
  );
  await mailing.userDeleted(userId);
  await put(userId, { ...DEFAULTS, digestHour: 5 });
  for (const table of ['preferences', 'digest_schedules', 'deliveries']) {
    const rows = await mailing.database.query(`SELECT 1 FROM notifications.${table} WHERE user_id = $1`, [
      userId,
    ]);
    expect([table, rows]).toEqual([table, []]);
  }
});
