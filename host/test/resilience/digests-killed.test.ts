import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { addPushDevices } from '@casewatch/testing/push-devices';
import { makePushKeys, type PushService, startPushService } from '@casewatch/testing/push-service';
import { makeSelfSigned, type SelfSigned } from '@casewatch/testing/self-signed';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHECKS_IN_FLIGHT, KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import {
  endSendingLeases,
  mailSettings,
  startWatchedProduct,
  type WatchedProduct,
} from '../faults/watched-product.ts';

/** A digest exactly once per user or device and period, whatever is killed; a repeat has the same message id, or id on the device. */

const WITHIN_MS = 120_000;
const USERS = 40;

const keys = makePushKeys();

let server: MailServer;
let certificate: SelfSigned;
let pushes: PushService;
let product: WatchedProduct;
beforeEach(async () => {
  server = await startMailServer();
  certificate = await makeSelfSigned();
  pushes = await startPushService(certificate);
  product = await startWatchedProduct({
    shape: 'all-in-one',
    callsPerSecond: CHECKS_IN_FLIGHT / 2,
    env: {
      ...mailSettings(server),
      ...keys,
      PUSH_SUBJECT: 'mailto:ops@casewatch.test',
      PUSH_HOSTS: pushes.host,
      NODE_EXTRA_CA_CERTS: certificate.certFile,
      PUSH_LEASE_SECONDS: '35',
      PUSH_POLL_MS: '100',
    },
  });
});
afterEach(async () => {
  await product.stop();
  await server.stop();
  await pushes.stop();
  certificate.remove();
});

test(`killed ${KILL_ROUNDS} times while digests are made: one per user or device and period, and each change in one`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await addUsers();
  for (let nth = 1; nth <= KILL_ROUNDS; nth++) {
    await makeDue();
    const [taken, pushed] = [server.mails().length, pushes.received().length];
    const speak = [server.keepSilent(), pushes.keepSilent()];
    const [victim] = product.victims;
    // The job makes digests at its start and every half minute.
    await victim?.kill('SIGKILL');
    if (victim) await product.restart(victim);
    const isTaken = () => server.mails().length > taken && pushes.received().length > pushed;
    await mustCome('a digest of each channel without an answer', async () => isTaken(), WITHIN_MS);
    await victim?.kill('SIGKILL');
    for (const answer of speak) answer();
    await endSendingLeases(product);
    if (victim) await product.restart(victim);
    await mustCome('the last digests', async () => (await unsent()) === 0, WITHIN_MS);
  }
  const mailed = await made('email');
  const ids = new Set(server.mails().map(({ parsed }) => parsed.messageId));
  expect(ids).toEqual(new Set(mailed.map(({ id }) => `<${id}.digest@casewatch.test>`)));
  const onDevices = await made('push');
  const received = pushes.received().map(({ device, message }) => `${device} ${message.id}`);
  expect(new Set(received)).toEqual(new Set(onDevices.map(({ id, device }) => `${device} ${id}`)));
  for (const digests of [mailed, onDevices]) {
    const changes = digests.reduce((sum, one) => sum + one.changes, 0);
    const periods = new Set(digests.map(({ period }) => period));
    expect([periods.size, changes]).toEqual([digests.length, USERS * KILL_ROUNDS]);
  }
});

/** The digests of a channel, each with how many changes it reports; every user has one device. */
function made(channel: 'email' | 'push') {
  return product.database.query<{ id: string; period: string; device: string; changes: number }>(
    `SELECT d.id, d.user_id || digest_kind || period AS period, name AS device, cardinality(changes) AS changes
     FROM notifications.deliveries AS d JOIN notifications.push_devices AS device ON device.user_id = d.user_id
     WHERE d.channel = $1`,
    [channel],
  );
}

const IDS = `SELECT concat('00000000-0000-4000-9000-', lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, $1::int) AS n`;

async function addUsers(): Promise<void> {
  await product.database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now(), now(), 'key' FROM (${IDS}) AS ids`,
    [USERS],
  );
  // What is about a case that is not saved waits for its restore.
  await product.database.query(
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, monitoring_frequency, created_at)
     SELECT id, id, 'EAC9999103403', 'daily', now() FROM (${IDS}) AS ids`,
    [USERS],
  );
  await product.database.query(
    `INSERT INTO notifications.recipients (user_id, last_seq) SELECT id, 0 FROM (${IDS}) AS ids`,
    [USERS],
  );
  const settings = JSON.stringify({
    ...DEFAULT_NOTIFICATION_SETTINGS,
    email: { status: 'daily', needsAction: 'daily', digest: 'never' },
    push: { status: 'daily', needsAction: 'daily', billing: 'never' },
  });
  await product.database.query(
    `INSERT INTO notifications.preferences (user_id, settings, changed_at)
     SELECT id, $2::jsonb, now() FROM (${IDS}) AS ids`,
    [USERS, settings],
  );
  const owners = await product.database.query<{ id: string }>(IDS, [USERS]);
  await addPushDevices(product.database.query, pushes, {
    userIds: owners.map(({ id }) => id),
    publicKey: keys.PUSH_VAPID_PUBLIC_KEY,
  });
}

/** One more change for each user, and a schedule that was due on a day of its own: the digests before it have another. */
async function makeDue(): Promise<void> {
  await product.database.query(
    "UPDATE notifications.deliveries SET period = period - 10 WHERE state <> 'queued'",
  );
  await product.database.query(
    `WITH numbered AS (
       UPDATE notifications.recipients SET last_seq = last_seq + 1 WHERE user_id IN (SELECT id FROM (${IDS}) AS ids)
       RETURNING user_id, last_seq
     ), added AS (
       INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
       SELECT gen_random_uuid(), user_id, last_seq, 'EAC9999103403', 'Case Was Approved', now() FROM numbered
       RETURNING user_id, id
     ), kept AS (
       INSERT INTO notifications.digest_changes
       SELECT user_id, channel, 'daily', id FROM added, unnest(ARRAY['email', 'push']) AS channel
     )
     INSERT INTO notifications.digest_schedules (user_id, channel, kind, next_at)
     SELECT user_id, channel, 'daily', date_trunc('day', now(), 'UTC') - interval '16 hours'
     FROM numbered, unnest(ARRAY['email', 'push']) AS channel
     ON CONFLICT (user_id, channel, kind) DO UPDATE SET next_at = excluded.next_at`,
    [USERS],
  );
}

async function unsent(): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM notifications.digest_schedules WHERE next_at <= now())::int
       + (SELECT count(*) FROM notifications.deliveries WHERE state <> 'sent')::int AS count`,
  );
  return row?.count ?? 0;
}
