import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUserId } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

let pushing: PushFixture;
beforeAll(async () => {
  pushing = await startPushing();
});
afterAll(() => pushing.stop());

const RECEIPT = { receiptNumber: 'EAC9999103404' };
const inSession = () => ({ sessionId: randomUUID() });
/** How identity answers from now on; the event comes later, or never. */
const end = ({ sessionId }: { sessionId: string }) => pushing.directory.endedSessions.add(sessionId);

test('the device of a session that ended gets nothing more, and the user’s other devices still get messages', async () => {
  const phone = inSession();
  const { userId, name } = await pushing.person(newUserId(), phone);
  const laptop = await pushing.person(userId, inSession());
  const waiting = await pushing.statusChanged(userId, RECEIPT);
  await pushing.sessionsEnded(newUserId(), [phone.sessionId]);
  expect(await pushing.list(userId)).toHaveLength(2);
  await pushing.sessionsEnded(userId, [phone.sessionId]);
  expect(await pushing.list(userId)).toMatchObject([{ id: laptop.device.id }]);
  await pushing.becomes(waiting, 'sent');
  const before = pushing.service.to(name).length;
  await pushing.becomes(await pushing.statusChanged(userId), 'sent');
  expect(pushing.service.to(name)).toHaveLength(before);
});

test('an end that is published without devices ends none', async () => {
  const { userId, device } = await pushing.person();
  await pushing.sessionsEnded(userId, []);
  expect(await pushing.list(userId)).toEqual([device]);
});

test('no message goes to a device whose session has ended, though the event that says so is still on its way', async () => {
  const phone = inSession();
  const { userId, name, device, subscription } = await pushing.person(newUserId(), phone);
  end(phone);
  const id = await pushing.statusChanged(userId);
  await pushing.becomes(id, undefined);
  expect(pushing.service.to(name)).toEqual([]);
  expect(await pushing.list(userId), 'the device is removed').toEqual([]);
  // The user has signed in there again by the time the event comes.
  await pushing.save(userId, subscription, {}, inSession());
  await pushing.sessionsEnded(userId, [phone.sessionId]);
  expect(await pushing.list(userId)).toMatchObject([{ id: device.id }]);
});

test('a message that waits while its session ends is not sent', async () => {
  const phone = inSession();
  const { userId, name } = await pushing.person(newUserId(), phone);
  pushing.service.refuse((to) => (to === name ? { status: 503 } : undefined));
  const id = await pushing.statusChanged(userId);
  await pushing.waitsAfter(id, 1);
  end(phone);
  pushing.service.refuse(() => undefined);
  await pushing.becomes(id, undefined, { passing: 60_000 });
  expect(pushing.service.to(name)).toEqual([]);
});

test('a test message is not sent to a device whose session has ended', async () => {
  const phone = inSession();
  const { userId, name, device } = await pushing.person(newUserId(), phone);
  end(phone);
  const path = `/api/notifications/push-devices/${device.id}/test`;
  const answer = await pushing.call('POST', path, { as: { userId } });
  expect(await answer.json()).toEqual({ result: 'gone' });
  expect(pushing.service.to(name)).toEqual([]);
  expect(await pushing.list(userId)).toEqual([]);
});

test('while identity is unavailable messages wait, and none is lost', async () => {
  const { userId, name } = await pushing.person();
  pushing.directory.unavailable.identity = true;
  const id = await pushing.statusChanged(userId);
  await pushing.waitsAfter(id, 1);
  expect((await pushing.rowOf(id))?.last_error).toBe('identity');
  expect(pushing.service.to(name)).toEqual([]);
  pushing.directory.unavailable.identity = false;
  await pushing.becomes(id, 'sent', { passing: 60_000 });
  expect(pushing.service.to(name)).toHaveLength(1);
});

test('a device is not saved in a session that has ended, nor while identity is unavailable', async () => {
  const phone = inSession();
  const { userId, subscription, device } = await pushing.person(newUserId(), phone);
  const late = inSession();
  end(late);
  expect((await pushing.save(userId, subscription, {}, late)).status).toBe(401);
  expect(await pushing.list(userId), 'that of the live session stays').toEqual([device]);
  pushing.directory.unavailable.identity = true;
  expect((await pushing.save(userId, subscription)).status).toBe(500);
  pushing.directory.unavailable.identity = false;
});

test('a device whose session ends while it is saved is removed, though the event was handled before', async () => {
  const phone = inSession();
  const userId = newUserId();
  const { subscription } = pushing.service.subscribe(pushing.publicKey);
  // The session ends, and its event is handled, after identity was asked for the first time.
  pushing.directory.beforeSessionCheck.run = async () => {
    end(phone);
    await pushing.sessionsEnded(userId, [phone.sessionId]);
  };
  const answer = await pushing.save(userId, subscription, {}, phone);
  pushing.directory.beforeSessionCheck.run = async () => {};
  expect(answer.status).toBe(401);
  expect(await pushing.list(userId)).toEqual([]);
});

test('a device that is saved again belongs to the session of now', async () => {
  const [before, now] = [inSession(), inSession()];
  const { userId, subscription, device } = await pushing.person(newUserId(), before);
  await pushing.save(userId, subscription, {}, now);
  await pushing.sessionsEnded(userId, [before.sessionId]);
  expect(await pushing.list(userId)).toEqual([device]);
  await pushing.sessionsEnded(userId, [now.sessionId]);
  expect(await pushing.list(userId)).toEqual([]);
});
