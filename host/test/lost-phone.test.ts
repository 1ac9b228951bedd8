import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@casewatch/dev-stack/free-port';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { makePushKeys } from '@casewatch/testing/push-service';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The whole product in one process: identity ends a session, and notifications stops the push messages to its device. */

const PATIENCE = { timeout: 20_000, interval: 100 };
const ACCOUNT = { email: 'lost@example.test', password: 'the phone is in the bus' };
const keys = makePushKeys();
const publicKey = keys.PUSH_VAPID_PUBLIC_KEY;

let folder: string;
let url: string;
let product: ReturnType<typeof startProductProcess>['process'];

beforeAll(async () => {
  folder = makeMemoryFolder('lost-phone');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const started = startProductProcess({
    name: 'all-in-one',
    program: 'host/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      LOG_LEVEL: 'warn',
      ...keys,
      PUSH_SUBJECT: 'mailto:ops@example.test',
      PUSH_HOSTS: 'push.example.test',
    },
  });
  product = started.process;
  await started.ready;
}, 120_000);
afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser that signs up or signs in, and gets push messages from then on. */
async function open(route: string, body: object) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
  };
  const send = async <T>(method: string, to: string, sent?: object): Promise<T> => {
    const answer = await fetch(url + to, {
      method,
      headers,
      ...(sent ? { body: JSON.stringify(sent) } : {}),
    });
    if (!answer.ok) expect.fail(`${method} ${to}: ${answer.status} ${await answer.text()}`);
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    if (cookies.length > 0) headers.cookie = cookies.join('; ');
    return (await answer.json()) as T;
  };
  await send('POST', route, body);
  const subscription = {
    endpoint: `https://push.example.test/${randomBytes(8).toString('hex')}`,
    keys: { p256dh: publicKey, auth: randomBytes(16).toString('base64url') },
    publicKey,
  };
  const save = () => send<{ id: string }>('PUT', '/api/notifications/push-devices', subscription);
  return { send, save, device: await save() };
}

test('a lost phone that is signed out from another device gets no push messages any more, nor any device but the one that sets a new password', async () => {
  const laptop = await open('/api/auth/signup', { ...ACCOUNT, firstName: 'Lost', lastName: 'Phone' });
  const phone = await open('/api/auth/login', ACCOUNT);
  const devices = async () => {
    const { devices } = await laptop.send<{ devices: { id: string }[] }>(
      'GET',
      '/api/notifications/push-devices',
    );
    return devices.map(({ id }) => id);
  };
  expect(await devices()).toEqual([laptop.device.id, phone.device.id]);

  const sessions = await laptop.send<{ id: string; isCurrent: boolean }[]>('GET', '/api/auth/sessions');
  const lost = sessions.find(({ isCurrent }) => !isCurrent);
  await laptop.send('DELETE', `/api/auth/sessions/${lost?.id}`);
  await expect.poll(devices, PATIENCE).toEqual([laptop.device.id]);

  const tablet = await open('/api/auth/login', ACCOUNT);
  expect(await devices()).toEqual([laptop.device.id, tablet.device.id]);
  await laptop.send('POST', '/api/auth/password', {
    currentPassword: ACCOUNT.password,
    newPassword: 'the phone was in the bus',
  });
  await expect.poll(devices, PATIENCE).toEqual([laptop.device.id]);
});

test('a device that is saved while its session ends gets no messages afterwards, whichever was first', async () => {
  const account = { email: 'saves@example.test', password: 'both at the same time' };
  await open('/api/auth/signup', { ...account, firstName: 'Both', lastName: 'Times' });
  for (let tries = 0; tries < 8; tries++) {
    const phone = await open('/api/auth/login', account);
    const laptop = await open('/api/auth/login', account);
    // As in flight as the network makes it: either order is right, and neither leaves a device.
    await Promise.all([
      phone.save().catch(() => undefined),
      laptop.send('POST', '/api/auth/logout-everywhere'),
    ]);
  }
  const { send, device } = await open('/api/auth/login', account);
  const devices = async () =>
    (await send<{ devices: { id: string }[] }>('GET', '/api/notifications/push-devices')).devices;
  await expect.poll(devices, PATIENCE).toMatchObject([{ id: device.id }]);
});
