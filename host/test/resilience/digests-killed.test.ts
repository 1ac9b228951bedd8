import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHECKS_IN_FLIGHT, KILL_ROUNDS, TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { mustCome } from '../faults/until.ts';
import { mailSettings, startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** A digest exactly once per user and period, whatever is killed; repeats of its e-mail have the same message id. */

const WITHIN_MS = 120_000;
const USERS = 40;

let server: MailServer;
let product: WatchedProduct;
beforeEach(async () => {
  server = await startMailServer();
  product = await startWatchedProduct({
    shape: 'all-in-one',
    callsPerSecond: CHECKS_IN_FLIGHT / 2,
    env: mailSettings(server),
  });
});
afterEach(async () => {
  await product.stop();
  await server.stop();
});

test(`killed ${KILL_ROUNDS} times while digests are made: one per user and period, and each change in one`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  await addUsers();
  for (let nth = 1; nth <= KILL_ROUNDS; nth++) {
    await makeDue();
    const taken = server.mails().length;
    const speak = server.keepSilent();
    const [victim] = product.victims;
    // The job makes digests at its start and every half minute.
    await victim?.kill('SIGKILL');
    if (victim) await product.restart(victim);
    await mustCome('a digest without an answer', async () => server.mails().length > taken, WITHIN_MS);
    await victim?.kill('SIGKILL');
    speak();
    if (victim) await product.restart(victim);
    await mustCome('the last digests', async () => (await unsent()) === 0, WITHIN_MS);
  }
  const digests = await product.database.query<{ id: string; changes: number }>(
    `SELECT id, (SELECT count(*) FROM notifications.notifications AS n
       WHERE n.user_id = d.user_id AND seq > after_seq AND seq <= until_seq)::int AS changes
     FROM notifications.digests AS d`,
  );
  const changes = digests.reduce((sum, one) => sum + one.changes, 0);
  const ids = new Set(server.mails().map(({ parsed }) => parsed.messageId));
  expect(ids).toEqual(new Set(digests.map(({ id }) => `<${id}.digest@casewatch.test>`)));
  const made = new Set(
    (
      await product.database.query<{ key: string }>(
        'SELECT user_id || kind || period AS key FROM notifications.digests',
      )
    ).map(({ key }) => key),
  );
  expect([made.size, changes]).toEqual([digests.length, USERS * KILL_ROUNDS]);
});

const IDS = `SELECT concat('00000000-0000-4000-9000-', lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, $1::int) AS n`;

async function addUsers(): Promise<void> {
  await product.database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at)
     SELECT id, id || '@people.test', id || '@people.test', '-', 'A', 'B', now() FROM (${IDS}) AS ids`,
    [USERS],
  );
  await product.database.query(
    `INSERT INTO notifications.recipients (user_id, last_seq) SELECT id, 0 FROM (${IDS}) AS ids`,
    [USERS],
  );
  const settings = JSON.stringify({
    ...DEFAULT_NOTIFICATION_SETTINGS,
    email: { status: 'daily', needsAction: 'daily', digest: 'never' },
  });
  await product.database.query(
    `INSERT INTO notifications.preferences (user_id, settings, changed_at)
     SELECT id, $2::jsonb, now() FROM (${IDS}) AS ids`,
    [USERS, settings],
  );
}

/** One more change for each user, and a schedule that was due on a day of its own: the digests before it have another. */
async function makeDue(): Promise<void> {
  await product.database.query(
    "UPDATE notifications.digests SET period = period - 10 WHERE state <> 'queued'",
    [],
  );
  await product.database.query(
    `WITH numbered AS (
       UPDATE notifications.recipients SET last_seq = last_seq + 1 WHERE user_id IN (SELECT id FROM (${IDS}) AS ids)
       RETURNING user_id, last_seq
     ), added AS (
       INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
       SELECT gen_random_uuid(), user_id, last_seq, 'EAC9999103403', 'Case Was Approved', now() FROM numbered
     )
     INSERT INTO notifications.digest_schedules (user_id, kind, next_at, after_seq)
     SELECT user_id, 'daily', date_trunc('day', now(), 'UTC') - interval '16 hours', last_seq - 1 FROM numbered
     ON CONFLICT (user_id, kind) DO UPDATE SET next_at = excluded.next_at`,
    [USERS],
  );
}

async function unsent(): Promise<number> {
  const [row] = await product.database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM notifications.digest_schedules WHERE next_at <= now())::int
       + (SELECT count(*) FROM notifications.digests WHERE state <> 'sent')::int AS count`,
  );
  return row?.count ?? 0;
}
