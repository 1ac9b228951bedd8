import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { digestWaits, PATIENCE } from './digest-waits.ts';
import { newUserId, RECEIPT } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [SECOND, THIRD, FOURTH] = ['EAC9999103404', 'EAC9999103405', 'EAC9999103406'];
const ASKS = 'Request for Initial Evidence Was Sent';
const PATIENT = { timeout: 90_000 };

let pushing: PushFixture;
beforeAll(async () => {
  pushing = await startPushing();
});
afterEach(() => {
  pushing.service.refuse(() => undefined);
  pushing.directory.unavailable.cases = false;
});
afterAll(() => pushing.stop());

const DAILY = { status: 'daily', needsAction: 'immediately', billing: 'immediately' } as const;
const choose = async (userId: string, changes: Partial<NotificationSettings>) => {
  const digestHour = new Date(pushing.clock.nowMs()).getUTCHours();
  const body = { ...DEFAULTS, digestHour, push: DAILY, ...changes };
  const answer = await pushing.call('PUT', '/api/notifications/settings', { as: { userId }, body });
  expect(answer.status).toBe(200);
};
const digestsOf = (userId: string) =>
  pushing.database.query<{ state: string; last_error: string | null; attempts: number }>(
    'SELECT state, last_error, attempts FROM notifications.deliveries WHERE user_id = $1 ORDER BY period, id',
    [userId],
  );
const { settled, madeAndSettled } = digestWaits('push', () => pushing);
const overview = (userId: string, receiptNumber: string, changes: object = {}) => ({
  userId,
  receiptNumber,
  nickname: null,
  formType: 'I-130',
  status: 'Case Was Received',
  statusChangedAt: null,
  snoozedUntil: null,
  ...changes,
});
const messagesTo = (name: string) => pushing.service.to(name).map(({ message }) => message);

test('changes of a day come in one message that sums them up, without receipt numbers, and the next day none', async () => {
  const { userId, name } = await pushing.person();
  pushing.directory.overviews.set(userId, [
    overview(userId, RECEIPT, { nickname: 'Mom' }),
    overview(userId, SECOND),
    overview(userId, THIRD, { formType: null }),
  ]);
  await choose(userId, {});
  const first = await pushing.statusChanged(userId, { newStatus: 'Case Was Received' });
  for (const receiptNumber of [RECEIPT, SECOND, THIRD, FOURTH]) {
    await pushing.statusChanged(userId, { receiptNumber, newStatus: 'Case Was Approved' });
  }
  expect(await pushing.rowOf(first)).toMatchObject({ state: 'skipped', last_error: 'in-daily-digest' });
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 1);
  const [push] = pushing.service.to(name);
  expect(push?.message).toMatchObject({
    kind: 'digest',
    tag: push?.topic,
    path: '/saved-cases?sort=changed',
    language: 'en',
    title: '4 of your cases changed',
    text: 'Mom: Case Was Approved\nI-130: Case Was Approved\nYour case: Case Was Approved\nand 1 more',
  });
  expect(push?.urgency).toBe('normal');
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 2);
  expect(await digestsOf(userId)).toMatchObject([
    { state: 'sent' },
    { state: 'skipped', last_error: 'nothing-changed' },
  ]);
  expect(messagesTo(name)).toHaveLength(1);
});

test('a digest with one change leads to its notification, in the language of the device, with the number where allowed', async () => {
  const { userId, name, device, subscription } = await pushing.person();
  const other = await pushing.person(userId);
  await pushing.save(userId, { ...subscription, language: 'es' });
  await pushing.call('PATCH', `/api/notifications/push-devices/${other.device.id}`, {
    as: { userId },
    body: { showReceiptNumbers: true },
  });
  pushing.directory.forms.set(userId, '');
  await choose(userId, {});
  const id = await pushing.statusChanged(userId, { newStatus: 'Case Was Received' });
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 2);
  expect(device.language).toBe('en');
  expect(messagesTo(name)).toMatchObject([
    {
      path: `/notifications/${id}`,
      language: 'es',
      title: 'Cambió uno de sus casos',
      text: 'Su caso: El caso fue recibido',
    },
  ]);
  expect(messagesTo(other.name)).toMatchObject([
    { title: 'One of your cases changed', text: `${RECEIPT}: Case Was Received` },
  ]);
});

test('what had a message of its own is in no digest, and each kind is in the digest that was chosen for it', async () => {
  const { userId, name } = await pushing.person();
  // The day after tomorrow.
  const digestDay = ((new Date(pushing.clock.nowMs() + 2 * DAY_MS).getUTCDay() + 6) % 7) + 1;
  await choose(userId, { push: { ...DAILY, needsAction: 'weekly' }, digestDay });
  await pushing.statusChanged(userId, { newStatus: ASKS });
  await choose(userId, { push: DAILY, digestDay });
  await pushing.becomes(
    await pushing.statusChanged(userId, { receiptNumber: SECOND, newStatus: ASKS }),
    'sent',
  );
  await pushing.statusChanged(userId, { receiptNumber: THIRD, newStatus: 'Case Was Received' });
  expect(messagesTo(name)).toMatchObject([{ kind: 'status', newStatus: ASKS }]);
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(messagesTo(name).slice(1)).toMatchObject([{ text: 'I-130: Case Was Received' }]);
  await pushing.clock.jump(2 * DAY_MS);
  await expect
    .poll(async () => {
      await pushing.clock.advance(10_000);
      return messagesTo(name).length;
    }, PATIENCE)
    .toBe(3);
  expect(messagesTo(name)[2]).toMatchObject({ text: `I-130: ${ASKS}` });
});

test('a device that is added later gets what waits for the digest, and none gets what was not wanted when it came', async () => {
  const { userId, name } = await pushing.person();
  const push = { status: 'never', needsAction: 'daily', billing: 'never' } as const;
  await choose(userId, { push });
  await pushing.statusChanged(userId, { receiptNumber: SECOND, newStatus: 'Not wanted' });
  await pushing.planMilestone(userId, 'pro-returned');
  await choose(userId, { push: { ...push, status: 'daily' } });
  await pushing.statusChanged(userId, { newStatus: 'Case Was Received' });
  const later = await pushing.person(userId);
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 2);
  for (const to of [name, later.name]) {
    expect(messagesTo(to)).toMatchObject([
      { title: 'One of your cases changed', text: 'I-130: Case Was Received' },
    ]);
  }
});

test('without a device changes wait for the first one', async () => {
  const userId = newUserId();
  await choose(userId, {});
  await pushing.statusChanged(userId, { newStatus: 'Case Was Received' });
  await pushing.clock.jump(3 * DAY_MS);
  const sql =
    "SELECT 1 FROM notifications.digest_schedules WHERE user_id = $1 AND channel = 'push' AND next_at > $2";
  const isPlanned = async () => {
    await pushing.clock.advance(10_000);
    return (await pushing.database.query(sql, [userId, new Date(pushing.clock.nowMs())])).length;
  };
  await expect.poll(isPlanned, PATIENCE).toBe(1);
  expect(await digestsOf(userId)).toEqual([]);
  const { name } = await pushing.person(userId);
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(messagesTo(name)).toMatchObject([{ text: 'I-130: Case Was Received' }]);
});

test('a snoozed case is in no digest, unless it needs action; while cases is unavailable a digest waits', async () => {
  const { userId, name } = await pushing.person();
  const snoozedUntil = new Date(pushing.clock.nowMs() + 9 * DAY_MS).toISOString();
  pushing.directory.overviews.set(userId, [
    overview(userId, RECEIPT, { snoozedUntil }),
    overview(userId, SECOND, { snoozedUntil }),
  ]);
  await choose(userId, { push: { ...DAILY, needsAction: 'daily' } });
  await pushing.statusChanged(userId);
  await pushing.statusChanged(userId, { receiptNumber: SECOND, newStatus: ASKS });
  pushing.directory.unavailable.cases = true;
  await pushing.clock.jump(DAY_MS);
  await expect
    .poll(async () => {
      await pushing.clock.advance(10_000);
      return digestsOf(userId);
    }, PATIENCE)
    .toMatchObject([{ state: 'queued', attempts: 0 }]);
  expect(messagesTo(name)).toEqual([]);
  pushing.directory.unavailable.cases = false;
  await settled(userId, 1);
  expect(messagesTo(name)).toMatchObject([{ title: 'One of your cases changed', text: `I-130: ${ASKS}` }]);
  expect(pushing.service.to(name)[0]?.urgency).toBe('high');
});

test('a digest whose process died is sent again by another, with the same id and tag', PATIENT, async () => {
  const { userId, name } = await pushing.person();
  await choose(userId, {});
  await pushing.statusChanged(userId);
  const speak = pushing.service.keepSilent();
  const other = await pushing.another();
  await pushing.clock.jump(DAY_MS);
  await expect
    .poll(async () => {
      await pushing.clock.advance(60_000);
      return messagesTo(name).length;
    }, PATIENCE)
    .toBe(2);
  speak();
  await settled(userId, 1);
  const messages = messagesTo(name).map(({ id, tag }) => [id, tag]);
  expect(new Set(messages.map(String)).size).toBe(1);
  await other.stop();
});

test('several processes make and send one digest per device and day', PATIENT, async () => {
  const others = [await pushing.another(), await pushing.another()];
  const people = await Promise.all(Array.from({ length: 20 }, () => pushing.person()));
  for (const { userId } of people) {
    await choose(userId, {});
    await pushing.statusChanged(userId);
  }
  await pushing.clock.jump(DAY_MS);
  await madeAndSettled(people.map(({ userId }) => userId));
  for (const { name } of people) expect(messagesTo(name)).toMatchObject([{ kind: 'digest' }]);
  for (const other of others) await other.stop();
});

test('the longest texts fit into a digest', async () => {
  const { userId, name } = await pushing.person();
  const text = '"𝕊\u202e'.repeat(300);
  const numbers = [RECEIPT, SECOND, THIRD, FOURTH];
  pushing.directory.overviews.set(
    userId,
    numbers.map((receiptNumber) => overview(userId, receiptNumber, { nickname: text })),
  );
  await choose(userId, {});
  for (const receiptNumber of numbers)
    await pushing.statusChanged(userId, { receiptNumber, newStatus: text });
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 1);
  const [push] = pushing.service.to(name);
  expect(push?.size).toBeLessThanOrEqual(3_000);
  expect(JSON.stringify(push?.message)).not.toContain('\u202e');
});
