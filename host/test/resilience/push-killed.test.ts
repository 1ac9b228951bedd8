import { addPushDevices } from '@casewatch/testing/push-devices';
import { makePushKeys, type PushService, startPushService } from '@casewatch/testing/push-service';
import { makeSelfSigned, type SelfSigned } from '@casewatch/testing/self-signed';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHECKS_IN_FLIGHT, KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { beginRound, watcherId } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';
import { endSendingLeases, startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R1 for push messages: every device gets every change whatever is killed, and shows one that comes twice once, by its id. */

const SENT_WITHIN_MS = 120_000;
const keys = makePushKeys();

let certificate: SelfSigned;
let service: PushService;
let product: WatchedProduct;
beforeEach(async () => {
  certificate = await makeSelfSigned();
  service = await startPushService(certificate);
  product = await startWatchedProduct({
    shape: 'all-in-one',
    callsPerSecond: CHECKS_IN_FLIGHT / 2,
    env: {
      ...keys,
      PUSH_SUBJECT: 'mailto:ops@casewatch.test',
      PUSH_HOSTS: service.host,
      NODE_EXTRA_CA_CERTS: certificate.certFile,
      PUSH_LEASE_SECONDS: '35',
      PUSH_POLL_MS: '100',
    },
  });
});
afterEach(async () => {
  await product.stop();
  await service.stop();
  certificate.remove();
});

test(`killed ${KILL_ROUNDS} times while push messages flow: every change reaches every device`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await giveDevices();
  for (let nth = 1; nth <= KILL_ROUNDS; nth++) {
    const before = service.received().length;
    const { verdict } = await beginRound(product, nth, CHECKS_IN_FLIGHT);
    await mustCome('the first messages', async () => service.received().length > before + 5, SENT_WITHIN_MS);
    // Taken, and the process never learns of it.
    const speak = service.keepSilent();
    const taken = service.received().length;
    await mustCome(
      'a message without an answer',
      async () => service.received().length > taken,
      SENT_WITHIN_MS,
    );
    const [victim] = product.victims;
    await victim?.kill('SIGKILL');
    speak();
    await endSendingLeases(product);
    if (victim) await product.restart(victim);
    expect(await product.settles(SENT_WITHIN_MS)).toBe(true);
    await mustCome('the last messages', async () => (await waiting()) === 0, SENT_WITHIN_MS);
    expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
  }
  const due = await product.database.query<{ message: string }>(
    `SELECT name || ' ' || notifications.id AS message
     FROM notifications.notifications JOIN notifications.push_devices USING (user_id)`,
  );
  const messages = service.received().map(({ device, message }) => `${device} ${message.id}`);
  expect(new Set(messages)).toEqual(new Set(due.map(({ message }) => message)));
  expect(messages.length - due.length, 'messages that came twice').toBeGreaterThan(0);
});

/** The watchers of a round, with one device each. */
async function giveDevices(): Promise<void> {
  const userIds = Array.from({ length: 1_000 + CHECKS_IN_FLIGHT }, (_, n) => watcherId(n));
  await product.database.query(
    `INSERT INTO identity.users
       (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now(), now(), 'key' FROM unnest($1::uuid[]) AS id`,
    [userIds],
  );
  const publicKey = keys.PUSH_VAPID_PUBLIC_KEY;
  await addPushDevices(product.database.query, service, { userIds, publicKey });
}

async function waiting(): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notifications.notifications JOIN notifications.push_devices AS device
       USING (user_id) LEFT JOIN notifications.deliveries AS log
       ON notification_id = notifications.id AND device_id = device.id
     WHERE log.state IS DISTINCT FROM 'sent'`,
  );
  return row?.count ?? 0;
}
