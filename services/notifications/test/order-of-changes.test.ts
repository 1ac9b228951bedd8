import { DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS } from '@casewatch/contracts/notification-choices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestWaits } from './digest-waits.ts';
import { type MailFixture, startMailing } from './mail-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

/** A user's changes are in the order of the calls that noticed them, whenever their events arrive: some come again days later. */

const DAY_MS = 86_400_000;
const OTHER = 'WAC9999103404';

let mailing: MailFixture;
let pushing: PushFixture;
beforeAll(async () => {
  mailing = await startMailing();
  pushing = await startPushing();
});
afterAll(async () => {
  await mailing.stop();
  await pushing.stop();
});

const [FIRST, SECOND, THIRD] = [
  { oldStatus: 'one', newStatus: 'two', call: 900 },
  { oldStatus: 'two', newStatus: 'three', call: 1_000 },
  { oldStatus: 'three', newStatus: 'four', call: 2n ** 62n },
] as const;
const choose = async ({ call, clock }: MailFixture | PushFixture, userId: string, changes: object) => {
  const digestHour = new Date(clock.nowMs()).getUTCHours();
  const body = { ...DEFAULTS, digestHour, ...changes };
  expect((await call('PUT', '/api/notifications/settings', { as: { userId }, body })).status).toBe(200);
};
const digests = digestWaits('email', () => mailing);
const pushDigests = digestWaits('push', () => pushing);

test('a change that arrives late is in the list at its place, never on top, unread, and pages continue in order', async () => {
  const { userId } = mailing.person();
  const third = await mailing.statusChanged(userId, THIRD);
  await mailing.statusChanged(userId, FIRST);
  const second = await mailing.statusChanged(userId, { ...SECOND, receiptNumber: OTHER });
  expect(await mailing.statuses(userId)).toEqual(['four', 'three', 'two']);
  expect(await mailing.statuses(userId, '?limit=1')).toEqual(['four']);
  expect(await mailing.statuses(userId, `?before=${third}`)).toEqual(['three', 'two']);
  expect(await mailing.statuses(userId, `?before=${second}`)).toEqual(['two']);
  const { unread, items } = await mailing.list(userId);
  expect(unread).toBe(3);
  const orders = items.map(({ order }) => order);
  expect(orders).toEqual(orders.toSorted().toReversed());
});

test('changes of one call are in the order in which they came', async () => {
  const { userId } = mailing.person();
  for (const newStatus of ['one', 'two', 'three'])
    await mailing.statusChanged(userId, { newStatus, call: 7 });
  expect(await mailing.statuses(userId)).toEqual(['three', 'two', 'one']);
});

test('numbers are compared as they are, however large', async () => {
  const { userId } = mailing.person();
  const largest = 2n ** 63n - 1n;
  for (const number of [largest, 1, 2n ** 53n + 1n, 2n ** 53n])
    await mailing.statusChanged(userId, { newStatus: String(number), call: number });
  const inOrder = [largest, 2n ** 53n + 1n, 2n ** 53n, 1].map(String);
  expect(await mailing.statuses(userId)).toEqual(inOrder);
  const orders = (await mailing.list(userId)).items.map(({ order }) => order);
  expect(orders).toEqual(orders.toSorted().toReversed());
});

test('a notification about the plan stands after the changes that came before it, and before those that are newer', async () => {
  const { userId } = mailing.person();
  await mailing.statusChanged(userId, SECOND);
  await mailing.planMilestone(userId, 'pro-ended');
  await mailing.statusChanged(userId, FIRST);
  await mailing.statusChanged(userId, THIRD);
  expect(await mailing.statuses(userId)).toEqual(['four', 'pro-ended', 'three', 'two']);
});

test('a stream brings a late change when it comes, with its place in the list, and resumes after it', async () => {
  const { userId } = mailing.person();
  const stream = await mailing.stream(userId);
  expect(await stream.next()).toMatchObject({ event: 'ready' });
  await mailing.statusChanged(userId, SECOND);
  await mailing.statusChanged(userId, FIRST);
  const [newer, late] = [await stream.nextNotification(), await stream.nextNotification()];
  expect([newer.newStatus, late.newStatus]).toEqual(['three', 'two']);
  expect(late.order < newer.order).toBe(true);
  await stream.close();
  const resumed = await mailing.stream(userId, { lastEventId: '1' });
  expect(await resumed.next()).toMatchObject({ event: 'ready', id: '1' });
  expect((await resumed.nextNotification()).newStatus).toBe('two');
  await resumed.close();
});

test('exports are in the order of the changes', async () => {
  const { userId } = mailing.person();
  for (const change of [SECOND, THIRD, FIRST]) await mailing.statusChanged(userId, change);
  const answer = await mailing.call('POST', '/api/notifications/export.ndjson', {
    as: { userId, tier: 'pro' },
    body: {},
  });
  const lines = (await answer.text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).newStatus)).toEqual(['four', 'three', 'two']);
  expect(lines[0]).not.toContain('order');
});

test('an e-mail about a change that arrives late says that the case has another status now', async () => {
  const { userId, email } = mailing.person();
  await mailing.becomes(await mailing.statusChanged(userId, SECOND), 'sent');
  await mailing.becomes(await mailing.statusChanged(userId, FIRST), 'sent');
  const mails = mailing.server.to(email).map(({ parsed }) => parsed);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'three: EAC******3403',
    'Earlier status, two: EAC******3403',
  ]);
  expect(mails[1]?.text).toContain('Status now: three');
});

test('in a digest a late change is on the way of its case, and the latest status is the newest one', async () => {
  const { userId, email } = mailing.person();
  await choose(mailing, userId, { email: { status: 'daily', needsAction: 'daily', digest: 'never' } });
  await mailing.statusChanged(userId, THIRD);
  await mailing.statusChanged(userId, FIRST);
  await mailing.clock.jump(DAY_MS);
  await digests.settled(userId, 1);
  await mailing.statusChanged(userId, SECOND);
  await mailing.clock.jump(DAY_MS);
  await digests.settled(userId, 2);
  const texts = mailing.server.to(email).map(({ parsed }) => parsed.text ?? '');
  expect(texts[0]).toContain('one → two → four\n');
  expect(texts[1]).toContain('two → three → four\n');
});

test('a digest to a device names the newest status, also of a late change', async () => {
  const { userId, name } = await pushing.person();
  await choose(pushing, userId, { push: { status: 'daily', needsAction: 'daily', billing: 'immediately' } });
  await pushing.statusChanged(userId, THIRD);
  await pushing.clock.jump(DAY_MS);
  await pushDigests.settled(userId, 1);
  await pushing.statusChanged(userId, FIRST);
  await pushing.clock.jump(DAY_MS);
  await pushDigests.settled(userId, 2);
  expect(pushing.service.to(name).map(({ message }) => message)).toMatchObject([
    { text: 'I-130: four' },
    { text: 'I-130: four' },
  ]);
});

test('a message about a late change takes no place of the newest on a device', async () => {
  const { userId, name } = await pushing.person();
  await pushing.becomes(await pushing.statusChanged(userId, SECOND), 'sent');
  await pushing.becomes(await pushing.statusChanged(userId, FIRST), 'skipped');
  await pushing.becomes(await pushing.statusChanged(userId, THIRD), 'sent');
  const shown = pushing.service.to(name).map(({ message }) => message);
  expect(shown).toMatchObject([{ newStatus: 'three' }, { newStatus: 'four' }]);
  // Of another case nothing is known to be newer.
  await pushing.becomes(await pushing.statusChanged(userId, { ...FIRST, receiptNumber: OTHER }), 'sent');
});

test('a message about a late change does not come to a device that has the newest in a digest', async () => {
  const { userId, name } = await pushing.person();
  await choose(pushing, userId, {
    push: { status: 'daily', needsAction: 'immediately', billing: 'immediately' },
  });
  await pushing.statusChanged(userId, { ...THIRD, newStatus: 'Case Was Approved' });
  await pushing.clock.jump(DAY_MS);
  await pushDigests.settled(userId, 1);
  const late = { ...FIRST, newStatus: 'Request for Initial Evidence Was Sent' };
  await pushing.becomes(await pushing.statusChanged(userId, late), 'skipped');
  expect(pushing.service.to(name).map(({ message }) => message)).toMatchObject([{ kind: 'digest' }]);
});
