import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keepForDigests } from '../src/data/digest-changes.ts';
import { digestWaits, PATIENCE } from './digest-waits.ts';
import { type MailFixture, startMailing } from './mail-fixture.ts';

/** A change waits for its digest, is in one, or has been reported, whatever is interrupted. */

const DAY_MS = 24 * 3_600_000;

let mailing: MailFixture;
beforeAll(async () => {
  mailing = await startMailing();
});
afterEach(() => mailing.calm());
afterAll(() => mailing.stop());

const DAILY: NotificationSettings['email'] = { status: 'daily', needsAction: 'immediately', digest: 'never' };
const choose = async (userId: string, changes: Partial<NotificationSettings>) => {
  const answer = await mailing.call('PUT', '/api/notifications/settings', {
    as: { userId },
    body: { ...DEFAULTS, digestHour: new Date(mailing.clock.nowMs()).getUTCHours(), ...changes },
  });
  expect(answer.status).toBe(200);
};
const digestsOf = (userId: string) =>
  mailing.database.query<{ state: string; last_error: string | null }>(
    'SELECT state, last_error FROM notifications.deliveries WHERE user_id = $1 ORDER BY period',
    [userId],
  );
const { settled } = digestWaits('email', () => mailing);
const subjects = (email: string) => mailing.server.to(email).map(({ parsed }) => parsed.subject);

test('what a digest has no room for is in the next one, and the first says that there may be others', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { email: DAILY });
  const first = await mailing.statusChanged(userId, { newStatus: 'Oldest' });
  await mailing.database.query(
    `WITH added AS (
       INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
       SELECT gen_random_uuid(), user_id, seq + n, receipt_number, 'Between', created_at
       FROM notifications.notifications, generate_series(1, 999) AS n WHERE id = $1
       RETURNING user_id, id)
     INSERT INTO notifications.digest_changes SELECT user_id, 'email', 'daily', id FROM added`,
    [first],
  );
  await mailing.database.query(
    'UPDATE notifications.recipients SET last_seq = last_seq + 999 WHERE user_id = $1',
    [userId],
  );
  await mailing.statusChanged(userId, { oldStatus: 'Between', newStatus: 'Newest' });
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 2);
  expect(subjects(email)).toEqual(['Casewatch: 1 or more cases changed', 'Casewatch: 1 case changed']);
  const texts = mailing.server.to(email).map(({ parsed }) => parsed.text ?? '');
  expect(texts[0]).toMatch(/Between → Newest$/m);
  expect(texts[1]).toMatch(/^Between → Newest$/m);
});

test('an event that comes again after its digest is in no other one', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { email: DAILY });
  const id = await mailing.statusChanged(userId, { newStatus: 'once' });
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
  await mailing.database.query('DELETE FROM notifications.inbox');
  await mailing.statusChanged(userId, { id, newStatus: 'once' });
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 2);
  expect(subjects(email)).toEqual(['Casewatch: 1 case changed']);
});

test('a transaction that fails while digests are made leaves what waits, and the next one takes it', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { email: DAILY });
  await mailing.statusChanged(userId, { newStatus: 'kept' });
  const waiting = () =>
    mailing.database.query('SELECT 1 FROM notifications.digest_changes WHERE user_id = $1', [userId]);
  const refuse = (table: string, when: string) =>
    mailing.database.query(
      `CREATE FUNCTION notifications.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'on purpose'; END $$;
       CREATE TRIGGER refuse ${when} ON notifications.${table} FOR EACH ROW EXECUTE FUNCTION notifications.refuse()`,
    );
  await refuse('deliveries', 'BEFORE INSERT');
  try {
    await mailing.clock.jump(DAY_MS);
    for (let nth = 0; nth < 5; nth++) await mailing.clock.advance(10_000);
    expect([await digestsOf(userId), await waiting()]).toMatchObject([[], [{}]]);
  } finally {
    await mailing.database.query('DROP FUNCTION notifications.refuse CASCADE');
  }
  mailing.directory.snoozed.set(userId, new Date(mailing.clock.nowMs() + DAY_MS).toISOString());
  await refuse('digest_changes', 'BEFORE INSERT');
  try {
    await expect
      .poll(async () => {
        await mailing.clock.advance(10_000);
        return (await digestsOf(userId)).map(({ last_error }) => last_error);
      }, PATIENCE)
      .toEqual(['prepare-failed']);
    expect(await waiting()).toEqual([]);
  } finally {
    await mailing.database.query('DROP FUNCTION notifications.refuse CASCADE');
  }
  await settled(userId, 1);
  expect([await digestsOf(userId), await waiting()]).toMatchObject([
    [{ state: 'skipped', last_error: 'nothing-changed' }],
    [{}],
  ]);
  expect(subjects(email)).toEqual([]);
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 2);
  expect(mailing.server.to(email)[0]?.parsed.text).toContain('kept');
  expect(await waiting()).toEqual([]);
});

test('a change that is kept for a digest while its schedule is due keeps the schedule until it is reported', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { email: DAILY });
  await choose(userId, {});
  const notificationId = await mailing.statusChanged(userId, { newStatus: 'just in time' });
  await mailing.becomes(notificationId, 'sent');
  const isKept = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  // As where the settings were read before they changed.
  const storing = inTransaction(mailing.pool, async (tx) => {
    const nextAtMs = mailing.clock.nowMs() + DAY_MS;
    await keepForDigests(tx, [{ channel: 'email', kind: 'daily', userId, notificationId, nextAtMs }]);
    isKept.resolve();
    await finish.promise;
  });
  await isKept.promise;
  await mailing.clock.jump(DAY_MS);
  for (let nth = 0; nth < 5; nth++) await mailing.clock.advance(10_000);
  expect(await digestsOf(userId)).toEqual([]);
  finish.resolve();
  await storing;
  await settled(userId, 1);
  expect(subjects(email)).toEqual(['just in time: EAC******3403', 'Casewatch: 1 case changed']);
  const rows = await mailing.database.query(
    `SELECT 1 FROM notifications.digest_schedules WHERE user_id = $1 AND channel = 'email'`,
    [userId],
  );
  expect(rows).toEqual([]);
});
