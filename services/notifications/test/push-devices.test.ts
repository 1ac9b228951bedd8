import { randomBytes } from 'node:crypto';
import { pushDeviceId } from '@casewatch/contracts/push-device-id';
import type { PushDevice } from '@casewatch/contracts/push-devices';
import { makePushKeys } from '@casewatch/testing/push-service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUserId } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };
const ANDROID =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36';

let pushing: PushFixture;
beforeAll(async () => {
  pushing = await startPushing();
});
afterAll(() => pushing.stop());

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const path = ({ id }: { id: string }, rest = '') => `/api/notifications/push-devices/${id}${rest}`;

test('a device is listed by its browser and system, without what it is reached with', async () => {
  const userId = newUserId();
  const { subscription } = pushing.service.subscribe(pushing.publicKey);
  const saved = await pushing.save(userId, subscription, { 'user-agent': ANDROID });
  const answer = await pushing.call('GET', '/api/notifications/push-devices', { as: { userId } });
  const text = await answer.text();
  const device: PushDevice = {
    id: await pushDeviceId(subscription.endpoint),
    name: 'Chrome on Android',
    addedAt: new Date(pushing.clock.nowMs()).toISOString(),
    lastSuccessAt: null,
    lastFailureAt: null,
    showReceiptNumbers: false,
    language: 'en',
  };
  expect(await saved.json()).toEqual(device);
  expect(JSON.parse(text)).toEqual({ publicKey: pushing.publicKey, devices: [device] });
  for (const secret of [subscription.endpoint, ...Object.values(subscription.keys)])
    expect(text).not.toContain(secret);
});

test('the same subscription again is the same device, with its choice', async () => {
  const { userId, subscription, device } = await pushing.person();
  await pushing.call('PATCH', path(device), { as: { userId }, body: { showReceiptNumbers: true } });
  expect((await pushing.save(userId, subscription)).status).toBe(200);
  expect(await pushing.list(userId)).toEqual([{ ...device, showReceiptNumbers: true }]);
});

test('a browser that subscribed anew at the same address is reached with its new keys and has its new name', async () => {
  const { userId, name, subscription } = await pushing.person();
  const anew = pushing.service.subscribe(pushing.publicKey);
  const earlier =
    "UPDATE notifications.push_devices SET p256dh = $2, auth = $3, name = 'earlier' WHERE user_id = $1";
  const { p256dh, auth } = anew.subscription.keys;
  await pushing.database.query(earlier, [userId, p256dh, auth]);
  const saved = await pushing.save(userId, subscription, { 'user-agent': ANDROID });
  expect(await saved.json()).toMatchObject({ name: 'Chrome on Android' });
  await pushing.becomes(await pushing.statusChanged(userId), 'sent');
  expect(pushing.service.to(name)).toHaveLength(1);
});

test('devices are listed in the order in which they were added', async () => {
  const { userId, device } = await pushing.person();
  await pushing.clock.advance(1_000);
  const second = await pushing.person(userId);
  await pushing.clock.advance(1_000);
  const third = await pushing.person(userId);
  const ids = (await pushing.list(userId)).map(({ id }) => id);
  expect(ids).toEqual([device.id, second.device.id, third.device.id]);
});

test('a device keeps its language until the app there is read in another one', async () => {
  const { userId, subscription } = await pushing.person();
  const saved = async (language?: 'en' | 'es') =>
    (await (await pushing.save(userId, { ...subscription, language })).json()) as PushDevice;
  expect((await saved('es')).language).toBe('es');
  expect((await saved()).language).toBe('es');
  expect((await saved('en')).language).toBe('en');
});

test('a device belongs to the user who signed in last, and the other one’s waiting messages never reach it', async () => {
  const first = await pushing.person();
  pushing.service.refuse((name) => (name === first.name ? { status: 503 } : undefined));
  const id = await pushing.statusChanged(first.userId);
  await pushing.waitsAfter(id, 1);
  const second = newUserId();
  const taken = await pushing.save(second, first.subscription);
  expect(await taken.json()).toMatchObject({
    id: first.device.id,
    showReceiptNumbers: false,
    lastFailureAt: null,
  });
  pushing.service.refuse(() => undefined);
  expect(await pushing.list(first.userId)).toEqual([]);
  expect(await pushing.rowOf(id)).toBeUndefined();
  await pushing.becomes(await pushing.statusChanged(second, { newStatus: 'Case Was Denied' }), 'sent');
  expect(pushing.service.to(first.name).map(({ message }) => message.newStatus)).toEqual(['Case Was Denied']);
});

test('an eleventh device is refused, also when many are saved at the same time', async () => {
  const userId = newUserId();
  const all = Array.from({ length: 14 }, () => pushing.service.subscribe(pushing.publicKey));
  const answers = await Promise.all(all.map(({ subscription }) => pushing.save(userId, subscription)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused && (await codeOf(refused))).toEqual([403, 'DEVICE_LIMIT']);
  expect(await pushing.list(userId)).toHaveLength(10);
  // Those that are there can be saved again.
  const again = await Promise.all(all.map(({ subscription }) => pushing.save(userId, subscription)));
  expect(again.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
});

const KEYS = { p256dh: makePushKeys().PUSH_VAPID_PUBLIC_KEY, auth: randomBytes(16).toString('base64url') };
test.each([
  ['another port', () => `https://127.0.0.1:1/x`],
  ['the loopback by another number', () => 'https://0x7f.1/x'],
  ['the loopback of IPv6', () => 'https://[::1]/x'],
  [
    'an IPv4 address within an IPv6 one',
    () => `https://[::ffff:127.0.0.1]:${pushing.service.host.split(':')[1]}/x`,
  ],
  ['the address of cloud metadata', () => 'https://169.254.169.254/latest/meta-data'],
  ['a private address', () => 'https://10.0.0.1/x'],
  ['a name of this host', () => `https://localhost:${pushing.service.host.split(':')[1]}/x`],
  ['a host that is not listed', () => 'https://push.example.com/x'],
  ['a listed host as the user', () => `https://${pushing.service.host}@push.example.com/x`],
  ['credentials', () => `https://user:password@${pushing.service.host}/x`],
  ['a host that begins as a listed one', () => `https://127.0.0.1.example.com/x`],
  ['plain HTTP', () => `http://${pushing.service.host}/x`],
  ['a file', () => 'file:///etc/passwd'],
  ['no address', () => 'x'],
])(
  'an endpoint that is %s is refused when it is saved, and nothing is sent to it',
  async (_what, endpoint) => {
    const userId = newUserId();
    const before = pushing.service.requests();
    const answer = await pushing.save(userId, {
      endpoint: endpoint(),
      keys: KEYS,
      publicKey: pushing.publicKey,
    });
    expect(answer.status).toBe(400);
    expect(await pushing.list(userId)).toEqual([]);
    await pushing.statusChanged(userId);
    expect(pushing.service.requests()).toBe(before);
  },
);

test('a device whose push service is not allowed any more gets nothing', async () => {
  const { userId, device } = await pushing.person();
  const move = 'UPDATE notifications.push_devices SET endpoint = $2 WHERE id = $1';
  await pushing.database.query(move, [device.id, 'https://169.254.169.254/latest/meta-data']);
  const id = await pushing.statusChanged(userId);
  await pushing.becomes(id, 'skipped');
  expect((await pushing.rowOf(id))?.last_error).toBe('host-not-allowed');
  const test = await pushing.call('POST', path(device, '/test'), { as: { userId } });
  expect(await test.json()).toEqual({ result: 'failed' });
});

test('a device that subscribed with an earlier key is skipped until it subscribes again', async () => {
  const { userId, subscription, device } = await pushing.person();
  const stale = pushing.service.subscribe(makePushKeys().PUSH_VAPID_PUBLIC_KEY);
  expect(await codeOf(await pushing.save(userId, stale.subscription))).toEqual([400, 'BAD_REQUEST']);
  const replace = "UPDATE notifications.push_devices SET public_key = 'earlier' WHERE id = $1";
  await pushing.database.query(replace, [device.id]);
  const id = await pushing.statusChanged(userId);
  await pushing.becomes(id, 'skipped');
  expect((await pushing.rowOf(id))?.last_error).toBe('other-key');
  const before = pushing.service.requests();
  const test = await pushing.call('POST', path(device, '/test'), { as: { userId } });
  expect(await test.json()).toEqual({ result: 'failed' });
  expect(pushing.service.requests()).toBe(before);
  await pushing.save(userId, subscription);
  await pushing.becomes(await pushing.statusChanged(userId), 'sent');
});

test.each([
  ['not a point of the curve', { ...KEYS, p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'bad-key'],
])('a key that is %s fails the message, and the others go', async (_what, keys, reason) => {
  const userId = newUserId();
  const endpoint = `${pushing.service.origin}/broken`;
  expect((await pushing.save(userId, { endpoint, keys, publicKey: pushing.publicKey })).status).toBe(200);
  const id = await pushing.statusChanged(userId);
  await pushing.becomes(id, 'failed');
  expect((await pushing.rowOf(id))?.last_error).toBe(reason);
  const other = await pushing.person();
  await pushing.becomes(await pushing.statusChanged(other.userId), 'sent');
});

test('a removed device gets nothing more, and another user’s can’t be touched', async () => {
  const { userId, device } = await pushing.person();
  const outsider = { as: { userId: newUserId() } };
  expect((await pushing.call('DELETE', path(device), outsider)).status).toBe(404);
  expect((await pushing.call('POST', path(device, '/test'), outsider)).status).toBe(404);
  const change = await pushing.call('PATCH', path(device), {
    ...outsider,
    body: { showReceiptNumbers: true },
  });
  expect(change.status).toBe(404);
  expect(await pushing.list(userId)).toEqual([device]);
  expect((await pushing.call('DELETE', path(device), { as: { userId } })).status).toBe(204);
  expect((await pushing.call('DELETE', path(device), { as: { userId } })).status).toBe(404);
  const id = await pushing.statusChanged(userId);
  expect(await pushing.rowOf(id)).toBeUndefined();
});

test('a test is sent at once, at most every ten seconds, and says what became of it', async () => {
  const { userId, name, device } = await pushing.person();
  const run = () => pushing.call('POST', path(device, '/test'), { as: { userId } });
  expect(await (await run()).json()).toEqual({ result: 'sent' });
  expect(pushing.service.to(name)[0]?.message).toMatchObject({
    kind: 'test',
    path: '/profile/notifications',
  });
  const early = await run();
  expect(early.headers.get('retry-after')).toBe('10');
  expect(await codeOf(early)).toEqual([429, 'RATE_LIMITED']);
  await pushing.clock.advance(10_000);
  pushing.service.refuse((to) => (to === name ? { status: 500 } : undefined));
  expect(await (await run()).json()).toEqual({ result: 'failed' });
  await pushing.clock.advance(10_000);
  pushing.service.refuse(() => undefined);
  pushing.service.unsubscribe(name);
  expect(await (await run()).json()).toEqual({ result: 'gone' });
  expect(await pushing.list(userId)).toEqual([]);
});

test('a deleted user’s devices and messages are deleted, and no device is added after that', async () => {
  const { userId, subscription, name } = await pushing.person();
  pushing.service.refuse((to) => (to === name ? { status: 503 } : undefined));
  const id = await pushing.statusChanged(userId);
  await pushing.waitsAfter(id, 1);
  await pushing.userDeleted(userId);
  pushing.service.refuse(() => undefined);
  const left = 'SELECT 1 FROM notifications.push_devices WHERE user_id = $1';
  await expect.poll(() => pushing.database.query(left, [userId]), PATIENCE).toEqual([]);
  expect(await pushing.rowOf(id)).toBeUndefined();
  expect((await pushing.save(userId, subscription)).status).toBe(401);
});
