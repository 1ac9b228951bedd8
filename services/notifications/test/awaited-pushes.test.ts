import { randomUUID } from 'node:crypto';
import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { digestWaits, PATIENCE } from './digest-waits.ts';
import { newUserId } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

/** What comes while a user has no device, and what a device has not got when it is removed. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = 'WAC9999103404';

let pushing: PushFixture;
beforeAll(async () => {
  pushing = await startPushing();
});
afterEach(() => pushing.service.refuse(() => undefined));
afterAll(() => pushing.stop());

const { settled } = digestWaits('push', () => pushing);
const choose = async (
  userId: string,
  push: NotificationSettings['push'],
  quietHours: NotificationSettings['quietHours'] = null,
) => {
  const digestHour = new Date(pushing.clock.nowMs()).getUTCHours();
  const body = { ...DEFAULTS, digestHour, push, quietHours };
  const answer = await pushing.call('PUT', '/api/notifications/settings', { as: { userId }, body });
  expect(answer.status).toBe(200);
};
const AT_ONCE = { status: 'immediately', needsAction: 'immediately', billing: 'never' } as const;
const DAILY = { status: 'daily', needsAction: 'daily', billing: 'never' } as const;
const inHours = (hours: number) =>
  new Date(pushing.clock.nowMs() + hours * HOUR_MS).toISOString().slice(11, 16);
const statusesOn = (name: string) =>
  pushing.service
    .to(name)
    .map(({ message }) => (message.kind === 'status' ? message.newStatus : message.kind));
const receives = (name: string, statuses: readonly string[]) =>
  expect
    .poll(async () => {
      await pushing.clock.advance(10_000);
      return statusesOn(name).toSorted();
    }, PATIENCE)
    .toEqual(statuses);

test('what came while there was no device comes to the first one, unless it is read or older than three days', async () => {
  const userId = newUserId();
  await pushing.statusChanged(userId, { receiptNumber: 'EAC9999100001', newStatus: 'too old' });
  await pushing.clock.jump(72 * HOUR_MS);
  await pushing.clock.jump(1);
  const read = await pushing.statusChanged(userId, { receiptNumber: 'EAC9999100002', newStatus: 'read' });
  await pushing.call('PATCH', `/api/notifications/${read}/read`, { as: { userId } });
  await pushing.statusChanged(userId, { newStatus: 'earlier' });
  await pushing.statusChanged(userId, { oldStatus: 'earlier', newStatus: 'latest' });
  await pushing.statusChanged(userId, { receiptNumber: OTHER, newStatus: 'of another case' });
  const { name, subscription } = await pushing.person(userId);
  await receives(name, ['latest', 'of another case']);
  const second = await pushing.person(userId);
  await pushing.save(userId, subscription);
  await pushing.becomes(await pushing.statusChanged(userId, { newStatus: 'to both' }), 'sent');
  await receives(second.name, ['to both']);
  await receives(name, ['latest', 'of another case', 'to both']);
});

test('what came while there was no device comes to the first one also where nothing is listed behind the bell', async () => {
  const userId = newUserId();
  const body = { ...DEFAULTS, bell: { status: 'never', needsAction: 'never', billing: 'never' } };
  await pushing.call('PUT', '/api/notifications/settings', { as: { userId }, body });
  await pushing.statusChanged(userId, { newStatus: 'unlisted' });
  const { name } = await pushing.person(userId);
  await receives(name, ['unlisted']);
});

test('what is off when the first device is added does not come', async () => {
  const userId = newUserId();
  const id = await pushing.statusChanged(userId, { newStatus: 'not wanted' });
  await choose(userId, { status: 'never', needsAction: 'never', billing: 'never' });
  const { name } = await pushing.person(userId);
  expect(await pushing.rowOf(id)).toMatchObject({ state: 'skipped', last_error: 'opted-out' });
  expect(statusesOn(name)).toEqual([]);
});

test('what the only device did not get, because its browser dropped the subscription, comes to the next one', async () => {
  const { userId, name } = await pushing.person();
  pushing.service.refuse((device) => (device === name ? { status: 410 } : undefined));
  await pushing.statusChanged(userId, { newStatus: 'undelivered' });
  await expect.poll(async () => (await pushing.list(userId)).length, PATIENCE).toBe(0);
  const next = await pushing.person(userId);
  await receives(next.name, ['undelivered']);
});

test('a digest that the only device did not get comes to the next one', async () => {
  const { userId, name } = await pushing.person();
  await choose(userId, { status: 'daily', needsAction: 'daily', billing: 'never' });
  await pushing.statusChanged(userId, { newStatus: 'collected' });
  pushing.service.refuse((device) => (device === name ? { status: 410 } : undefined));
  await pushing.clock.jump(DAY_MS);
  await expect
    .poll(async () => {
      await pushing.clock.advance(10_000);
      return (await pushing.list(userId)).length;
    }, PATIENCE)
    .toBe(0);
  const next = await pushing.person(userId);
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(pushing.service.to(next.name).map(({ message }) => message)).toMatchObject([
    { kind: 'digest', text: 'I-130: collected' },
  ]);
});

test('where another device gets it, nothing waits for the next one', async () => {
  const { userId, name } = await pushing.person();
  const other = await pushing.person(userId);
  pushing.service.refuse((device) => (device === name ? { status: 410 } : undefined));
  await pushing.statusChanged(userId, { newStatus: 'delivered' });
  await receives(other.name, ['delivered']);
  await expect.poll(async () => (await pushing.list(userId)).length, PATIENCE).toBe(1);
  const next = await pushing.person(userId);
  await pushing.becomes(
    await pushing.statusChanged(userId, { receiptNumber: OTHER, newStatus: 'new' }),
    'sent',
  );
  await receives(next.name, ['new']);
});

test.each([
  ['in the digest that is chosen by then', AT_ONCE, DAILY],
  ['once where it waited for a digest before', DAILY, AT_ONCE],
])('what came while there was no device comes to the first one %s', async (_, before, after) => {
  const userId = newUserId();
  await choose(userId, before);
  await pushing.statusChanged(userId, { newStatus: 'collected' });
  await choose(userId, after);
  const { name } = await pushing.person(userId);
  await pushing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(pushing.service.to(name).map(({ message }) => message)).toMatchObject([
    { kind: 'digest', text: 'I-130: collected' },
  ]);
});

type Person = Awaited<ReturnType<PushFixture['person']>> & { readonly sessionId: string };
const personInSession = async (): Promise<Person> => {
  const sessionId = randomUUID();
  return { ...(await pushing.person(newUserId(), { sessionId })), sessionId };
};
const pathOf = ({ device }: Person) => `/api/notifications/push-devices/${device.id}`;
const REMOVALS: [string, (own: Person) => Promise<unknown>][] = [
  ['its user removes', (own) => pushing.call('DELETE', pathOf(own), { as: { userId: own.userId } })],
  [
    'its browser has dropped',
    (own) => {
      pushing.service.refuse((name) => (name === own.name ? { status: 410 } : undefined));
      return pushing.call('POST', `${pathOf(own)}/test`, { as: { userId: own.userId } });
    },
  ],
  ['its session leaves', (own) => pushing.sessionsEnded(own.userId, [own.sessionId])],
  ['someone else takes over', (own) => pushing.save(newUserId(), own.subscription)],
];

test.each(REMOVALS)(
  'what waits for a device that %s goes to one that was added since, once',
  async (_, remove) => {
    const own = await personInSession();
    const { userId } = own;
    const before = await pushing.person(userId);
    await pushing.statusChanged(userId, { receiptNumber: OTHER, newStatus: 'to both' });
    for (const { name } of [own, before]) await receives(name, ['to both']);
    pushing.directory.snoozed.set(userId, new Date(pushing.clock.nowMs() + 5 * DAY_MS).toISOString());
    await pushing.statusChanged(userId, { newStatus: 'held' });
    const since = await pushing.person(userId);
    await remove(own);
    expect(await pushing.list(userId)).toHaveLength(2);
    await pushing.clock.jump(5 * DAY_MS);
    await receives(since.name, ['held']);
    await receives(before.name, ['held', 'to both']);
  },
);

test.each(REMOVALS)('what waits for the only device, which %s, comes to the next one', async (_, remove) => {
  const own = await personInSession();
  const { userId } = own;
  pushing.directory.snoozed.set(userId, new Date(pushing.clock.nowMs() + 5 * DAY_MS).toISOString());
  await pushing.statusChanged(userId, { newStatus: 'held' });
  await remove(own);
  expect(await pushing.list(userId)).toEqual([]);
  const next = await pushing.person(userId);
  await pushing.clock.jump(5 * DAY_MS);
  await receives(next.name, ['held']);
});

test.each(REMOVALS)(
  'what has waited for the only device, which %s, for longer than three days comes to the next one',
  async (_, remove) => {
    const own = await personInSession();
    const { userId } = own;
    pushing.directory.snoozed.set(userId, new Date(pushing.clock.nowMs() + 10 * DAY_MS).toISOString());
    const id = await pushing.statusChanged(userId, { newStatus: 'held' });
    const sql = `SELECT 1 FROM notifications.deliveries WHERE notification_id = $1 AND queued_at > $2`;
    const isHeld = () => pushing.database.query(sql, [id, new Date(pushing.clock.nowMs() + 9 * DAY_MS)]);
    await expect.poll(isHeld, PATIENCE).toHaveLength(1);
    await pushing.clock.jump(5 * DAY_MS);
    await remove(own);
    expect(await pushing.list(userId)).toEqual([]);
    const next = await pushing.person(userId);
    await pushing.clock.jump(5 * DAY_MS);
    await receives(next.name, ['held']);
  },
);

test.each(REMOVALS)(
  'a digest that waits for a device that %s goes to one that was added since, once',
  async (_, remove) => {
    const own = await personInSession();
    const { userId } = own;
    await choose(userId, DAILY, { from: inHours(-1), until: inHours(5) });
    await pushing.statusChanged(userId, { newStatus: 'collected' });
    await pushing.clock.jump(DAY_MS);
    await expect
      .poll(async () => {
        await pushing.clock.advance(10_000);
        const sql = 'SELECT state FROM notifications.deliveries WHERE user_id = $1';
        return (await pushing.database.query<{ state: string }>(sql, [userId])).map(({ state }) => state);
      }, PATIENCE)
      .toEqual(['queued']);
    const since = await pushing.person(userId);
    await remove(own);
    await pushing.clock.jump(5 * HOUR_MS);
    await settled(userId, 1);
    expect(pushing.service.to(since.name).map(({ message }) => message)).toMatchObject([
      { kind: 'digest', text: 'I-130: collected' },
    ]);
  },
);
