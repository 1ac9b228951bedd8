import { randomBytes, randomUUID } from 'node:crypto';
import { type MailServer, startMailServer } from '@casewatch/testing/mail-server';
import { makePushKeys } from '@casewatch/testing/push-service';
import { startRollUnderLoad, stopWithTest } from '@casewatch/testing/roll-under-load';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createUnsubscribeTokens } from '../src/mail/unsubscribe-token.ts';
import { type MailFixture, startMailing } from './mail-fixture.ts';
import type { NotificationsFixture } from './notifications-fixture.ts';
import { type PushFixture, startPushing } from './push-fixture.ts';

/** "Rotate secrets" of docs/operations.md, where notifications has the secret: of two processes one has it replaced already. */

const PATIENCE = { timeout: 60_000, interval: 25 };
/** For some hundred e-mails and the starts of several processes. */
const PATIENT = { timeout: 120_000 };

type Process = Pick<NotificationsFixture, 'call' | 'url' | 'statusChanged' | 'stop'>;

let database: TestDatabase;
beforeEach(async () => {
  const made = await createTestDatabase();
  onTestFinished(() => made.drop());
  database = made;
});

/** Another of the user's cases moves; answers with the list behind the bell. @throws when the change is not in it */
async function changeOf(process: Process, userId: string, ids: Set<string>): Promise<Response> {
  const id = await process.statusChanged(userId, { receiptNumber: `EAC${3_000_000_000 + ids.size}` });
  ids.add(id);
  const answer = await process.call('GET', '/api/notifications', { as: { userId } });
  if (!(await answer.clone().text()).includes(id)) throw new Error('the bell does not have the change');
  return answer;
}

describe('e-mails', () => {
  const OLDER = { user: 'casewatch', password: 'the older password' };
  const NEWER = { user: 'casewatch-2', password: 'the newer password' };

  async function startWithAccount() {
    const certificate = await makeSelfSigned();
    onTestFinished(certificate.remove);
    const mailing = stopWithTest(
      await startMailing({ database, certificate, account: OLDER, query: '?tls.rejectUnauthorized=false' }),
    );
    const startNewer = async () =>
      stopWithTest(await mailing.another({ env: { SMTP_URL: mailing.smtpUrl(NEWER) } }));
    return { mailing, startNewer };
  }

  /** Cases that move, each with an e-mail, and people who ask for a new password. */
  function startLoad(mailing: MailFixture) {
    const ids = new Set<string>();
    const addresses: string[] = [];
    const roll = startRollUnderLoad<Process & Pick<NotificationsFixture, 'accountMailRequested'>>(
      mailing.first,
      async (process) => {
        const { userId, email } = mailing.person();
        const mailId = randomUUID();
        mailing.directory.accountMails.set(mailId, {
          mailId,
          kind: 'reset-password',
          to: `${mailId}@people.example`,
          requestedAt: new Date(mailing.clock.nowMs()).toISOString(),
          token: randomBytes(32).toString('base64url'),
          tokenMinutes: 30,
          isFirstProof: false,
          passkeys: 0,
          device: null,
          network: null,
          language: 'en',
        });
        addresses.push(email, `${mailId}@people.example`);
        await process.accountMailRequested(mailId);
        return changeOf(process, userId, ids);
      },
    );
    return { roll, addresses };
  }

  const states = () =>
    database.query<{ state: string; mails: number; attempts: number }>(
      `SELECT state, count(*)::int AS mails, max(attempts) AS attempts FROM notifications.deliveries
       GROUP BY state ORDER BY state`,
    );
  const signedInAs = (server: MailServer) => new Set(server.mails().map(({ user }) => user));

  test(
    'the account at the mail server is replaced while it accepts both: every e-mail is sent once, at the first try',
    PATIENT,
    async () => {
      const { mailing, startNewer } = await startWithAccount();
      const { roll, addresses } = startLoad(mailing);
      await roll.goOn();
      mailing.server.acceptAccounts(OLDER, NEWER);
      await roll.add(await startNewer());
      await roll.remove(mailing.first);
      mailing.server.acceptAccounts(NEWER);
      await roll.goOn();
      expect(await roll.end()).toEqual([]);
      const sent = [{ state: 'sent', mails: addresses.length, attempts: 1 }];
      await expect.poll(states, PATIENCE).toEqual(sent);
      for (const address of addresses) expect(mailing.server.to(address)).toHaveLength(1);
      expect(signedInAs(mailing.server)).toEqual(new Set([OLDER.user, NEWER.user]));
    },
  );

  test(
    'where the mail server accepts the newer account only, e-mails wait for the processes that have it, and none is lost or sent twice',
    PATIENT,
    async () => {
      const { mailing, startNewer } = await startWithAccount();
      mailing.server.acceptAccounts(NEWER);
      const { roll, addresses } = startLoad(mailing);
      await roll.goOn();
      const refused = () =>
        database.query(
          `SELECT DISTINCT last_error FROM notifications.deliveries WHERE last_error IS NOT NULL`,
        );
      await expect.poll(refused, PATIENCE).toEqual([{ last_error: 'eauth-535' }]);
      expect(mailing.server.mails()).toEqual([]);

      await roll.add(await startNewer());
      await roll.remove(mailing.first);
      expect(await roll.end()).toEqual([]);
      const left = async () => {
        await mailing.clock.advance(10_000);
        return (await states()).map(({ state, mails }) => ({ state, mails }));
      };
      await expect.poll(left, PATIENCE).toEqual([{ state: 'sent', mails: addresses.length }]);
      for (const address of addresses) expect(mailing.server.to(address)).toHaveLength(1);
      expect(signedInAs(mailing.server)).toEqual(new Set([NEWER.user]));
    },
  );
});

describe('links that stop e-mails', () => {
  const [OLDER, NEWER] = ['the older secret of links', 'the newer secret of links'];

  /** Has a case move; resolves to the token in the link of the e-mail. */
  async function tokenOf(mailing: MailFixture, process: Process): Promise<string> {
    const { userId, email } = mailing.person();
    await process.statusChanged(userId);
    await expect.poll(() => mailing.server.to(email).length, PATIENCE).toBe(1);
    const { headers = [] } = mailing.server.to(email)[0]?.parsed ?? {};
    const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(1, -1);
    return new URL(link ?? '').searchParams.get('token') ?? '';
  }

  /** What a mail program sends (RFC 8058). */
  const follow = ({ url }: Process, token: string) =>
    fetch(`${url}/api/notifications/unsubscribe?token=${token}`, { method: 'POST' });

  const INVALID = {
    code: 'INVALID_SIGNATURE',
    error: 'This link is not valid. Use the link of a newer email, or the settings in your profile.',
  };

  test(
    'the secret of links is replaced in three steps: the links of every e-mail work at every process until the older one is removed',
    PATIENT,
    async () => {
      const mailing = stopWithTest(await startMailing({ database, env: { MAIL_SECRET: OLDER } }));
      /** Links of earlier e-mails that still work. */
      let kept: string[] = [];
      /** Requests go to each process in turn, so that this link is followed at another one, too. */
      let previous: string | undefined;
      const roll = startRollUnderLoad<Process>(mailing.first, async (process) => {
        const token = await tokenOf(mailing, process);
        for (const each of [...kept, ...(previous ? [previous] : [])]) {
          const answer = await follow(process, each);
          if (!answer.ok) throw new Error(`an earlier link: ${answer.status} ${await answer.text()}`);
        }
        previous = token;
        return follow(process, token);
      });
      await roll.goOn();
      const olderToken = await tokenOf(mailing, mailing.first);
      kept = [olderToken];

      let running: Process = mailing.first;
      async function replaceBy(secrets: string): Promise<void> {
        const next = stopWithTest(await mailing.another({ env: { MAIL_SECRET: secrets } }));
        await roll.add(next);
        await roll.remove(running);
        running = next;
      }
      await replaceBy(`${OLDER},${NEWER}`);
      await replaceBy(`${NEWER},${OLDER}`);
      const newerToken = await tokenOf(mailing, running);
      kept = [newerToken];
      await replaceBy(NEWER);
      expect(await roll.end()).toEqual([]);

      const refused = await follow(running, olderToken);
      expect([refused.status, await refused.json()]).toMatchObject([400, INVALID]);
    },
  );

  test(
    'the secret of links, shown able to fail: replaced at once, the links of one process are refused by the other',
    PATIENT,
    async () => {
      const mailing = stopWithTest(await startMailing({ database, env: { MAIL_SECRET: OLDER } }));
      const newer = stopWithTest(await mailing.another({ env: { MAIL_SECRET: NEWER } }));
      const { userId, email } = mailing.person();
      for (const [secret, own, other] of [
        [OLDER, mailing.first, newer],
        [NEWER, newer, mailing.first],
      ] as const) {
        const token = createUnsubscribeTokens([secret]).issue({ userId, email }, 'status');
        expect((await follow(own, token)).status).toBe(200);
        expect(await (await follow(other, token)).json()).toMatchObject(INVALID);
      }
    },
  );
});

describe('push messages', () => {
  const path = '/api/notifications/push-devices';
  const newerKeys = makePushKeys();

  async function startWithKeys() {
    const server = await startMailServer();
    onTestFinished(server.stop);
    const pushing = stopWithTest(
      await startPushing({
        database,
        env: {
          SMTP_URL: `smtp://127.0.0.1:${server.port}`,
          MAIL_FROM: 'notices@casewatch.example.com',
          MAIL_SECRET: 'a secret for links in e-mails',
        },
      }),
    );
    const startNewer = async () => stopWithTest(await pushing.another(newerKeys));
    return { pushing, server, startNewer };
  }

  /** The key that this process has devices subscribe with. */
  async function keyOf(process: Process, userId: string): Promise<string> {
    const answer = await process.call('GET', path, { as: { userId } });
    return ((await answer.json()) as { publicKey: string }).publicKey;
  }

  /** What the app does when it is opened on a device whose subscription is of another key: as in `push-subscription.ts`. */
  async function openApp(
    pushing: PushFixture,
    process: Process,
    { userId, device, name }: Awaited<ReturnType<PushFixture['person']>>,
  ) {
    await process.call('DELETE', `${path}/${device.id}`, { as: { userId } });
    pushing.service.unsubscribe(name);
    const anew = pushing.service.subscribe(await keyOf(process, userId));
    const as = { userId, sessionId: randomUUID() };
    const answer = await process.call('PUT', path, { as, body: anew.subscription });
    return { status: answer.status, name: anew.name };
  }

  test(
    'the keys of push messages are replaced: a device gets nothing until the app is opened there, and every change is behind the bell and in an e-mail',
    PATIENT,
    async () => {
      const { pushing, server, startNewer } = await startWithKeys();
      const phone = await pushing.person();
      const { userId } = phone;
      const laptop = await pushing.person(userId);
      pushing.directory.emails.set(userId, 'ada@people.example');
      const pushed = (name: string) => pushing.service.to(name).map(({ message }) => message.id);
      const ids = new Set<string>();
      const roll = startRollUnderLoad<Process>(pushing.first, (process) => changeOf(process, userId, ids));
      await roll.goOn();
      const newer = await startNewer();
      await roll.add(newer);
      await roll.remove(pushing.first);

      const before = await newer.statusChanged(userId);
      ids.add(before);
      await expect.poll(() => skippedFor(before), PATIENCE).toEqual(['other-key', 'other-key']);

      const again = await openApp(pushing, newer, phone);
      expect(again.status).toBe(200);
      const after = await newer.statusChanged(userId);
      ids.add(after);
      await expect.poll(() => pushed(again.name), PATIENCE).toContain(after);
      await expect.poll(() => skippedFor(after), PATIENCE).toEqual(['other-key']);
      for (const { name } of [phone, laptop]) {
        expect(pushed(name)).not.toContain(before);
        expect(pushed(name)).not.toContain(after);
      }

      expect(await roll.end()).toEqual([]);
      const mailed = () => server.to('ada@people.example').map(({ parsed }) => parsed.messageId);
      await expect.poll(() => mailed().length, PATIENCE).toBe(ids.size);
      expect(new Set(mailed()).size).toBe(ids.size);
      const [bell] = await database.query<{ changes: number }>(
        'SELECT count(*)::int AS changes FROM notifications.notifications WHERE user_id = $1 AND NOT read',
        [userId],
      );
      expect(bell?.changes).toBe(ids.size);
      // No push service was asked with a key that it does not know.
      const failed = `SELECT last_error FROM notifications.deliveries WHERE last_error LIKE 'http-%'`;
      expect(await database.query(failed)).toEqual([]);
    },
  );

  const skippedFor = async (notificationId: string) => {
    const rows = await database.query<{ last_error: string }>(
      `SELECT last_error FROM notifications.deliveries WHERE notification_id = $1 AND state = 'skipped'`,
      [notificationId],
    );
    return rows.map(({ last_error: reason }) => reason);
  };

  test(
    'a device that subscribes with the key of one process is refused by the other, and then subscribes there',
    PATIENT,
    async () => {
      const { pushing, startNewer } = await startWithKeys();
      const { userId } = await pushing.person();
      const processes: Process[] = [pushing.first, await startNewer()];
      for (const [one, other] of [processes, processes.toReversed()]) {
        if (!one || !other) throw new Error('there are two processes');
        const { subscription } = pushing.service.subscribe(await keyOf(one, userId));
        const as = { userId, sessionId: randomUUID() };
        const refused = await other.call('PUT', path, { as, body: subscription });
        expect([refused.status, await refused.json()]).toMatchObject([
          400,
          { error: 'This device used an old key. Reload the page and try again.' },
        ]);
        const anew = pushing.service.subscribe(await keyOf(other, userId));
        expect((await other.call('PUT', path, { as, body: anew.subscription })).status).toBe(200);
      }
    },
  );
});
