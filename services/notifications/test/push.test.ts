import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { guidanceFor } from '@casewatch/contracts/status-guide';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { makePushKeys } from '@casewatch/testing/push-service';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PUSH_POST_MAX_MS } from '../src/domain/send-times.ts';
import { openWebPushTransport } from '../src/web-push/web-push-transport.ts';
import { RECEIPT, startNotifications } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

const MINUTE_MS = 60_000;
const PATIENCE = { timeout: 60_000, interval: 100 };
const PATIENT = { timeout: 90_000 };

let pushing: PushFixture;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
beforeAll(async () => {
  telemetry = await startScraped();
  pushing = await startPushing({ telemetry });
});
afterEach(() => {
  pushing.service.refuse(() => undefined);
  pushing.directory.unavailable.cases = false;
});
afterAll(async () => {
  await pushing.stop();
  await telemetry.stop();
});

test('a change becomes one message to each device, signed, encrypted and without the receipt number', async () => {
  const { userId, name } = await pushing.person();
  const other = await pushing.person(userId);
  pushing.directory.nicknames.set(userId, 'Green card');
  const id = await pushing.statusChanged(userId, { oldStatus: 'Case Was Received' });
  for (const device of [name, other.name]) {
    await expect.poll(() => pushing.service.to(device).length, PATIENCE).toBe(1);
    const [push] = pushing.service.to(device);
    expect(push).toMatchObject({
      urgency: 'normal',
      ttl: 72 * 3_600,
      subject: 'mailto:ops@casewatch.example.com',
    });
    expect(push?.message).toEqual({
      kind: 'status',
      id,
      tag: push?.topic,
      at: pushing.clock.nowMs(),
      path: `/notifications/${id}`,
      language: 'en',
      name: 'Green card',
      oldStatus: 'Case Was Received',
      newStatus: 'Case Was Approved',
      means: guidanceFor('Case Was Approved', 'I-130').means,
    });
  }
});

test('a message names the form where there is no nickname, and the receipt number where its user allows it', async () => {
  const { userId, name, device } = await pushing.person();
  pushing.directory.forms.set(userId, 'I-485');
  await pushing.call('PATCH', `/api/notifications/push-devices/${device.id}`, {
    as: { userId },
    body: { showReceiptNumbers: true },
  });
  await pushing.becomes(await pushing.statusChanged(userId), 'sent');
  expect(pushing.service.to(name)[0]?.message).toMatchObject({
    name: 'I-485',
    means: guidanceFor('Case Was Approved', 'I-485').means,
    receiptNumber: RECEIPT,
  });
});

test('each device gets its messages, and its test, in the language that the app is read in there', async () => {
  const { userId, name, subscription, device } = await pushing.person();
  const english = await pushing.person(userId);
  await pushing.save(userId, { ...subscription, language: 'es' });
  const change = { oldStatus: 'Case Was Received', newStatus: 'Your Horoscope Was Consulted' };
  await pushing.statusChanged(userId, change);
  await expect.poll(() => pushing.service.to(english.name).length, PATIENCE).toBe(1);
  await expect.poll(() => pushing.service.to(name).length, PATIENCE).toBe(1);
  expect(pushing.service.to(english.name)[0]?.message).toMatchObject({ language: 'en', ...change });
  expect(pushing.service.to(name)[0]?.message).toMatchObject({
    language: 'es',
    oldStatus: 'El caso fue recibido',
    newStatus: change.newStatus,
  });
  await pushing.planMilestone(userId, 'pro-returned');
  await expect.poll(() => pushing.service.to(name).length, PATIENCE).toBe(2);
  expect(pushing.service.to(name)[1]?.message).toMatchObject({ title: 'Pro está de vuelta' });
  const priceChange = { oldCents: 900, newCents: 1200, yearly: false };
  await pushing.planMilestone(userId, 'price-changing', { priceChange });
  await expect.poll(() => pushing.service.to(name).length, PATIENCE).toBe(3);
  expect(pushing.service.to(name)[2]?.message).toMatchObject({
    text: expect.stringContaining('Pro costará $12 al mes en lugar de $9.'),
  });
  await pushing.call('POST', `/api/notifications/push-devices/${device.id}/test`, { as: { userId } });
  expect(pushing.service.to(name)[3]?.message).toMatchObject({ title: 'Las alertas funcionan' });
});

test('the longest texts fit into a message', async () => {
  const { userId, name } = await pushing.person();
  const text = '"𝕊\u202e'.repeat(300);
  pushing.directory.nicknames.set(userId, text);
  await pushing.becomes(await pushing.statusChanged(userId, { oldStatus: text, newStatus: text }), 'sent');
  const [push] = pushing.service.to(name);
  expect(push?.size).toBeLessThanOrEqual(3_000);
  expect(JSON.stringify(push?.message)).not.toContain('\u202e');
});

test('messages about one case have one topic, which says nothing to the push service', async () => {
  const { userId, name } = await pushing.person();
  await pushing.becomes(await pushing.statusChanged(userId), 'sent');
  await pushing.becomes(await pushing.statusChanged(userId, { newStatus: 'Card Was Mailed' }), 'sent');
  await pushing.becomes(await pushing.statusChanged(userId, { receiptNumber: 'EAC9999103404' }), 'sent');
  const topics = pushing.service.to(name).map(({ topic }) => topic);
  expect(topics[1]).toBe(topics[0]);
  expect(topics[2]).not.toBe(topics[0]);
  expect(Buffer.from(topics[0] ?? '', 'base64url').toString('latin1')).not.toContain(RECEIPT);
});

test('a message that waits is not sent any more when there is a newer one about the case', async () => {
  const { userId, name } = await pushing.person();
  pushing.service.refuse((device) => (device === name ? { status: 503 } : undefined));
  const older = await pushing.statusChanged(userId, { newStatus: 'Case Was Received' });
  await pushing.waitsAfter(older, 1);
  const newer = await pushing.statusChanged(userId, { newStatus: 'Case Was Approved' });
  pushing.service.refuse(() => undefined);
  await pushing.becomes(newer, 'sent', { passing: 10_000 });
  await pushing.becomes(older, 'skipped', { passing: 10_000 });
  expect((await pushing.rowOf(older))?.last_error).toBe('superseded');
  expect(pushing.service.to(name).map(({ message }) => message.newStatus)).toEqual(['Case Was Approved']);
});

test('what needs action is sent although a newer message about the case, which waits for the end of a snooze, was due', async () => {
  const { userId, name } = await pushing.person();
  const newStatus = 'Request for Initial Evidence Was Sent';
  pushing.service.refuse((device) => (device === name ? { status: 503 } : undefined));
  const urgent = await pushing.statusChanged(userId, { newStatus });
  await pushing.waitsAfter(urgent, 1);
  pushing.service.refuse(() => undefined);
  pushing.directory.snoozed.set(userId, new Date(pushing.clock.nowMs() + MINUTE_MS).toISOString());
  // One claim has both.
  await pushing.database.query(
    'UPDATE notifications.deliveries SET next_attempt_at = $2 WHERE notification_id = $1',
    [urgent, new Date(pushing.clock.nowMs())],
  );
  const newer = await pushing.statusChanged(userId);
  await pushing.becomes(urgent, 'sent');
  expect(pushing.service.to(name).map(({ message }) => message.newStatus)).toEqual([newStatus]);
  expect(await pushing.rowOf(newer)).toMatchObject({ state: 'queued' });
});

test.each([404, 410])('%i removes the device, and the others get their messages', async (status) => {
  const { userId, name } = await pushing.person();
  const other = await pushing.person(userId);
  pushing.service.refuse((device) => (device === name ? { status } : undefined));
  await pushing.statusChanged(userId);
  await expect
    .poll(async () => (await pushing.list(userId)).map(({ id }) => id), PATIENCE)
    .toEqual([other.device.id]);
  await expect.poll(() => pushing.service.to(other.name).length, PATIENCE).toBe(1);
});

test.each([408, 429, 500, 502, 503])(
  'after %i the message is sent again, later each time',
  async (status) => {
    const { userId, name } = await pushing.person();
    pushing.service.refuse((device) => (device === name ? { status } : undefined));
    const id = await pushing.statusChanged(userId);
    await pushing.waitsAfter(id, 1);
    const first = await pushing.rowOf(id);
    expect(first?.last_error).toBe(`http-${status}`);
    expect(first?.next_attempt_at?.getTime()).toBeGreaterThan(pushing.clock.nowMs() + 20_000);
    expect((await pushing.list(userId))[0]).toMatchObject({
      lastSuccessAt: null,
      lastFailureAt: expect.any(String),
    });
    const noted = () =>
      pushing.database.query('SELECT last_error FROM notifications.push_devices WHERE user_id = $1', [
        userId,
      ]);
    expect(await noted()).toEqual([{ last_error: `http-${status}` }]);
    await pushing.waitsAfter(id, 2, { passing: 5_000 });
    pushing.service.refuse(() => undefined);
    await pushing.becomes(id, 'sent', { passing: 10_000 });
    expect(pushing.service.to(name)).toHaveLength(1);
    expect((await pushing.list(userId))[0]).toMatchObject({
      lastSuccessAt: expect.any(String),
      lastFailureAt: null,
    });
    expect(await noted()).toEqual([{ last_error: null }]);
  },
);

test.each([400, 413, 302])('%i fails the message for good; the device stays', async (status) => {
  const { userId, name } = await pushing.person();
  const location = `${pushing.service.origin}/elsewhere`;
  pushing.service.refuse((device) => (device === name ? { status, headers: { location } } : undefined));
  const before = pushing.service.requests();
  const id = await pushing.statusChanged(userId);
  await pushing.becomes(id, 'failed');
  expect(await pushing.rowOf(id)).toMatchObject({ attempts: 1, last_error: `http-${status}` });
  expect(await pushing.list(userId)).toHaveLength(1);
  expect(pushing.service.requests() - before).toBe(1);
});

test.each([401, 403])('%i is counted for the operator, and the message is tried again', async (status) => {
  const counted = async () => {
    const values = await telemetry.scrape();
    return [
      'casewatch_push_unauthorized_total',
      ...['sent', 'retried', 'failed', 'skipped'].map(
        (result) => `casewatch_pushes_total{result="${result}"}`,
      ),
    ].map((name) => values[name] ?? Number.NaN);
  };
  const before = await counted();
  const { userId, name } = await pushing.person();
  pushing.service.refuse((device) => (device === name ? { status } : undefined));
  const id = await pushing.statusChanged(userId);
  await pushing.waitsAfter(id, 1);
  const since = async (at: number) => ((await counted())[at] ?? 0) - (before[at] ?? 0);
  // Messages of other tests are counted too.
  const [UNAUTHORIZED, SENT, RETRIED] = [0, 1, 2];
  expect(await since(UNAUTHORIZED)).toBe(1);
  await expect.poll(() => since(RETRIED), PATIENCE).toBeGreaterThanOrEqual(1);
  pushing.service.refuse(() => undefined);
  await pushing.becomes(id, 'sent', { passing: 10_000 });
  await expect.poll(() => since(SENT), PATIENCE).toBeGreaterThanOrEqual(1);
  // From 0, so that a rate has a beginning.
  expect(before).not.toContain(Number.NaN);
});

test('a message that can not be sent for three days is abandoned', async () => {
  const { userId, name } = await pushing.person();
  pushing.service.refuse((device) => (device === name ? { status: 503 } : undefined));
  const id = await pushing.statusChanged(userId);
  await pushing.waitsAfter(id, 1);
  const age =
    "UPDATE notifications.deliveries SET queued_at = queued_at - interval '3 days' WHERE notification_id = $1";
  await pushing.database.query(age, [id]);
  await pushing.becomes(id, 'failed', { passing: 10_000 });
  expect((await pushing.rowOf(id))?.last_error).toBe('expired');
});

test('a message whose process died is sent again by another, with the same id and tag', PATIENT, async () => {
  const { userId, name } = await pushing.person();
  const speak = pushing.service.keepSilent();
  const id = await pushing.statusChanged(userId);
  await expect.poll(() => pushing.service.to(name).length, PATIENCE).toBe(1);
  const other = await pushing.another();
  await expect
    .poll(async () => {
      await pushing.clock.advance(MINUTE_MS);
      return pushing.service.to(name).length;
    }, PATIENCE)
    .toBe(2);
  speak();
  await pushing.becomes(id, 'sent', { passing: MINUTE_MS });
  const messages = pushing.service.to(name).map(({ message }) => [message.id, message.tag]);
  expect(new Set(messages.map(String)).size).toBe(1);
  await other.stop();
});

test('of three processes each message is sent by one', PATIENT, async () => {
  const others = [await pushing.another(), await pushing.another()];
  const people = await Promise.all(Array.from({ length: 40 }, () => pushing.person()));
  const ids = await Promise.all(people.map(({ userId }) => pushing.statusChanged(userId)));
  for (const id of ids) await pushing.becomes(id, 'sent');
  for (const { name } of people) expect(pushing.service.to(name)).toHaveLength(1);
  for (const other of others) await other.stop();
});

test('without keys nothing is queued, and devices are not offered', PATIENT, async () => {
  const off = await startNotifications();
  const { userId, subscription } = await pushing.person();
  const saved = await off.call('PUT', '/api/notifications/push-devices', {
    as: { userId },
    body: subscription,
  });
  expect(saved.status).toBe(404);
  const listed = await off.call('GET', '/api/notifications/push-devices', { as: { userId } });
  expect(await listed.json()).toEqual({ publicKey: null, devices: [] });
  await off.stop();
});

test('a process that stood still while it was connecting posts nothing afterwards', async () => {
  const { PUSH_VAPID_PUBLIC_KEY: publicKey, PUSH_VAPID_PRIVATE_KEY: privateKey } = makePushKeys();
  const clock = createManualClock();
  const transport = await openWebPushTransport({
    keys: { publicKey, privateKey, subject: 'mailto:ops@example.com' },
    isAllowed: () => true,
    clock,
    connections: 1,
  });
  const road = createServer(async (client) => {
    await clock.advance(PUSH_POST_MAX_MS + 1);
    client.pipe(connect(Number(new URL(pushing.service.origin).port), '127.0.0.1')).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(road, 'listening');
  const { port } = road.address() as AddressInfo;
  const { subscription } = pushing.service.subscribe(publicKey);
  const target = {
    id: 'phone',
    userId: 'ada',
    sessionId: 'session',
    endpoint: `https://127.0.0.1:${port}/phone`,
    ...subscription.keys,
    language: 'en',
  } as const;
  const before = pushing.service.requests();
  const push = { target, payload: '{}', ttlSeconds: 60, urgency: 'normal', topic: 't' } as const;
  const outcome = await transport.send(push, new AbortController().signal);
  expect(outcome).toEqual({ kind: 'unavailable', reason: 'stood-still' });
  expect(pushing.service.requests()).toBe(before);
  await transport.close();
  road.close();
});
