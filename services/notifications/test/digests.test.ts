import { randomUUID } from 'node:crypto';
import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { recordNotifications } from '../src/data/record-notifications.ts';
import { digestWaits, PATIENCE } from './digest-waits.ts';
import { type MailFixture, startMailing } from './mail-fixture.ts';
import { CALL, RECEIPT } from './notifications-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = 'WAC9999103404';

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
  mailing.database.query<{ id: string; state: string; last_error: string | null; period: string }>(
    'SELECT id, state, last_error, period::text FROM notifications.deliveries WHERE user_id = $1 ORDER BY period',
    [userId],
  );
/** The user's digests are due at this time. */
const plan = async (userId: string, atMs: number) => {
  await mailing.database.query('UPDATE notifications.digest_schedules SET next_at = $2 WHERE user_id = $1', [
    userId,
    new Date(atMs),
  ]);
};
const { settled, madeAndSettled } = digestWaits('email', () => mailing);
const overviewOf = (userId: string, receiptNumber: string, status: string) => ({
  userId,
  receiptNumber,
  nickname: receiptNumber === RECEIPT ? 'Green card' : null,
  formType: 'I-130',
  status,
  statusChangedAt: new Date(mailing.clock.nowMs() - 12 * DAY_MS).toISOString(),
  snoozedUntil: null,
});
const subjects = (email: string) => mailing.server.to(email).map(({ parsed }) => parsed.subject);

test('changes of a day come in one digest, first what changed and then the rest, and the next day none', async () => {
  const { userId, email } = mailing.person();
  mailing.directory.overviews.set(userId, [
    overviewOf(userId, RECEIPT, 'Case Was Approved'),
    overviewOf(userId, OTHER, 'Case Was Received'),
  ]);
  await choose(userId, { email: DAILY });
  const first = await mailing.statusChanged(userId, { oldStatus: 'one', newStatus: 'two' });
  await mailing.statusChanged(userId, { oldStatus: 'two', newStatus: 'Case Was Approved' });
  expect(await mailing.rowOf(first)).toMatchObject({ state: 'skipped', last_error: 'in-digest' });
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(subjects(email)).toEqual(['Casewatch: 1 case changed']);
  const text = mailing.server.to(email)[0]?.parsed.text ?? '';
  expect(text).toContain('one → two → Case Was Approved');
  expect(text).toContain('WAC******3404: Case Was Received, at least 13 days in this status');
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 2);
  expect(await digestsOf(userId)).toMatchObject([
    { state: 'sent' },
    { state: 'skipped', last_error: 'nothing-changed' },
  ]);
  expect(mailing.server.to(email)).toHaveLength(1);
});

test('a digest reports cases that changed since it was chosen, no plan, and each kind has its own of a day', async () => {
  const { userId, email } = mailing.person();
  await mailing.statusChanged(userId, { receiptNumber: OTHER, newStatus: 'Sent at once' });
  const tomorrow = (new Date(mailing.clock.nowMs()).getUTCDay() % 7) + 1;
  await choose(userId, { email: { ...DAILY, needsAction: 'weekly' }, digestDay: tomorrow });
  await mailing.statusChanged(userId, { newStatus: 'collected' });
  await mailing.planMilestone(userId, 'pro-returned');
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 2);
  const digests = mailing.server
    .to(email)
    .filter(({ parsed }) => parsed.subject === 'Casewatch: 1 case changed');
  const kindOf = ({ parsed }: (typeof digests)[number]) => /Your (\w+) digest/.exec(parsed.text ?? '')?.[1];
  expect(digests.map(kindOf).sort()).toEqual(['daily', 'weekly']);
  for (const { parsed } of digests) {
    expect(parsed.text).toContain('New status: collected');
    expect(parsed.text).not.toContain('Sent at once');
  }
});

test('without changes a digest is sent to those who want an overview in any case', async () => {
  const { userId, email } = mailing.person();
  mailing.directory.overviews.set(userId, [overviewOf(userId, OTHER, 'Case Was Received')]);
  await choose(userId, { email: { ...DEFAULTS.email, digest: 'daily' } });
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(subjects(email)).toEqual(['Casewatch: no change']);
  const headers = new Map(mailing.server.to(email)[0]?.parsed.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(headers.get('list-unsubscribe')).toContain('.digest.');
});

test('several processes make and send one digest per user and day', async () => {
  const others = [await mailing.another(), await mailing.another()];
  const people = Array.from({ length: 40 }, () => mailing.person());
  for (const { userId } of people) {
    await choose(userId, { email: DAILY });
    await mailing.statusChanged(userId);
  }
  await mailing.clock.jump(DAY_MS);
  await madeAndSettled(people.map(({ userId }) => userId));
  for (const { email } of people) expect(subjects(email)).toEqual(['Casewatch: 1 case changed']);
  for (const other of others) await other.stop();
});

test('a process whose clock is a day ahead makes no digest before its time', async () => {
  const [early, due] = [mailing.person(), mailing.person()];
  for (const { userId } of [early, due]) {
    await choose(userId, { email: DAILY });
    await mailing.statusChanged(userId);
  }
  const { nowMs } = mailing.clock;
  await plan(due.userId, nowMs() - (nowMs() % HOUR_MS));
  const ahead = await mailing.another({ clock: { ...mailing.clock, nowMs: () => nowMs() + 2 * DAY_MS } });
  await settled(due.userId, 1);
  expect(await digestsOf(early.userId)).toEqual([]);
  await ahead.stop();
});

test('a clock that is set back makes no second digest, and what came since is in the next one', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { email: DAILY });
  await mailing.statusChanged(userId, { newStatus: 'before' });
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
  await mailing.statusChanged(userId, { newStatus: 'since' });
  // As if the schedule had been read before the clock went back: the period is due again.
  await mailing.database.query(
    "UPDATE notifications.digest_schedules SET next_at = next_at - interval '1 day' WHERE user_id = $1 AND channel = 'email'",
    [userId],
  );
  await expect
    .poll(async () => {
      await mailing.clock.advance(10_000);
      const rows = await mailing.database.query<{ next_at: Date }>(
        `SELECT next_at FROM notifications.digest_schedules WHERE user_id = $1 AND channel = 'email'`,
        [userId],
      );
      return rows[0]?.next_at.getTime() ?? 0;
    }, PATIENCE)
    .toBeGreaterThan(mailing.clock.nowMs());
  expect(await digestsOf(userId)).toHaveLength(1);
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 2);
  const texts = mailing.server.to(email).map(({ parsed }) => parsed.text ?? '');
  expect(texts.map((text) => [text.includes('before'), text.includes('since')])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('a schedule that a wrong clock has put years ahead is put right', async () => {
  const { userId } = mailing.person();
  await choose(userId, { email: DAILY });
  await mailing.database.query(
    "UPDATE notifications.digest_schedules SET next_at = now() + interval '900 years' WHERE user_id = $1 AND channel = 'email'",
    [userId],
  );
  await mailing.clock.jump(DAY_MS + 60_000);
  await expect
    .poll(async () => {
      await mailing.clock.advance(1_000);
      const rows = await mailing.database.query<{ next_at: Date }>(
        `SELECT next_at FROM notifications.digest_schedules WHERE user_id = $1 AND channel = 'email'`,
        [userId],
      );
      return rows[0]?.next_at.getTime() ?? Number.POSITIVE_INFINITY;
    }, PATIENCE)
    .toBeLessThan(mailing.clock.nowMs() + 2 * DAY_MS);
  await mailing.statusChanged(userId);
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
});

test('a user who goes from digests to e-mails at once gets what was waiting in a last digest', async () => {
  const { userId, email } = mailing.person();
  await choose(userId, { email: DAILY });
  await mailing.statusChanged(userId, { newStatus: 'waiting' });
  await choose(userId, {});
  await mailing.clock.jump(DAY_MS);
  await settled(userId, 1);
  expect(mailing.server.to(email)[0]?.parsed.text).toContain('waiting');
  const rows = await mailing.database.query(
    `SELECT 1 FROM notifications.digest_schedules WHERE user_id = $1 AND channel = 'email'`,
    [userId],
  );
  expect(rows).toEqual([]);
});

test.each([
  ['comes all the same', 'weekly'],
  ['is the last one where digests of another kind are chosen', 'daily'],
] as const)('a digest that is due while settings are saved %s', async (_, status) => {
  const { userId, email } = mailing.person();
  const digestDay = new Date(mailing.clock.nowMs()).getUTCDay() || 7;
  await choose(userId, { email: { ...DAILY, status: 'weekly' }, digestDay });
  // Without a signal to the jobs, which would make a digest before the settings are saved.
  const eventId = randomUUID();
  const change = { eventId, userId, receiptNumber: RECEIPT, newStatus: 'waiting', ...CALL };
  await inTransaction(mailing.pool, (tx) =>
    recordNotifications(tx, [change], mailing.clock.nowMs(), new Set(['email'])),
  );
  await plan(userId, mailing.clock.nowMs() - (mailing.clock.nowMs() % HOUR_MS));
  await choose(userId, { email: { ...DAILY, status }, digestDay });
  // Has digests made as well.
  await mailing.statusChanged(userId, { newStatus: 'since' });
  await settled(userId, 1);
  const text = mailing.server.to(email)[0]?.parsed.text;
  for (const part of ['Your weekly digest', 'waiting']) expect(text).toContain(part);
  const rows = await mailing.database.query(
    `SELECT kind FROM notifications.digest_schedules WHERE user_id = $1 AND channel = 'email'`,
    [userId],
  );
  expect(rows).toEqual([{ kind: status }]);
});

test('saving settings plans digests of both channels anew, except those that are due', async () => {
  const { userId } = mailing.person();
  const both = { email: DAILY, push: { ...DEFAULTS.push, status: 'daily' } } as const;
  const hour = new Date(mailing.clock.nowMs()).getUTCHours();
  const planned = async () => {
    const rows = await mailing.database.query<{ next_at: Date }>(
      'SELECT next_at FROM notifications.digest_schedules WHERE user_id = $1 ORDER BY channel',
      [userId],
    );
    return rows.map(({ next_at }) => next_at.getTime());
  };
  await choose(userId, { ...both, digestHour: (hour + 1) % 24 });
  const before = await planned();
  await choose(userId, { ...both, digestHour: (hour + 2) % 24 });
  expect(await planned()).toEqual(before.map((ms) => ms + HOUR_MS));
  const nowMs = mailing.clock.nowMs();
  await plan(userId, nowMs);
  await choose(userId, { ...both, digestHour: (hour + 3) % 24 });
  expect(await planned()).toEqual([nowMs, nowMs]);
});
