import { randomUUID } from 'node:crypto';
import tls from 'node:tls';
import { type PushDevice, pushDevice } from '@casewatch/contracts/push-devices';
import { makePushKeys, startPushService } from '@casewatch/testing/push-service';
import { makeSelfSigned } from '@casewatch/testing/self-signed';
import { expect } from 'vitest';
import { startDirectory } from './mail-fixture.ts';
import { newUserId, type Options, startNotifications } from './notifications-fixture.ts';

/** Of a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 100 };

export interface PushRow {
  state: string;
  attempts: number;
  last_error: string | null;
  next_attempt_at: Date | null;
}

/** The notifications service with a push service, and users with devices. */
export async function startPushing({ env = {}, ...options }: Options = {}) {
  const certificate = await makeSelfSigned();
  const believed = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...believed, certificate.cert]);
  const service = await startPushService(certificate);
  const directory = startDirectory();
  const keys = makePushKeys();
  const settings = {
    ...keys,
    PUSH_SUBJECT: 'mailto:ops@casewatch.example.com',
    PUSH_HOSTS: service.host,
    ...env,
  };
  const notifications = await startNotifications({ env: settings, services: directory.client, ...options });
  const { call, clock, database } = notifications;

  const rowOf = async (notificationId: string): Promise<PushRow | undefined> => {
    const sql = "SELECT * FROM notifications.deliveries WHERE notification_id = $1 AND channel = 'push'";
    return (await database.query<PushRow>(sql, [notificationId]))[0];
  };
  const save = (
    userId: string,
    body: unknown,
    headers: Record<string, string> = {},
    { sessionId = randomUUID() }: { sessionId?: string } = {},
  ) => call('PUT', '/api/notifications/push-devices', { as: { userId, sessionId }, body, headers });

  return {
    ...notifications,
    /** The first process alone; without a database of its own it takes that along when it stops. */
    first: notifications,
    service,
    directory,
    publicKey: keys.PUSH_VAPID_PUBLIC_KEY,
    rowOf,
    save,
    async list(userId: string): Promise<PushDevice[]> {
      const answer = await call('GET', '/api/notifications/push-devices', { as: { userId } });
      return pushDevice.array().parse(((await answer.json()) as { devices: unknown }).devices);
    },
    /** A user with a device, subscribed in a session. */
    async person(userId = newUserId(), session: { sessionId?: string } = {}) {
      const { name, subscription } = service.subscribe(keys.PUSH_VAPID_PUBLIC_KEY);
      const answer = await save(userId, subscription, {}, session);
      return { userId, name, subscription, device: pushDevice.parse(await answer.json()) };
    },
    /** Another process of the same service; `different`: settings that are different there. */
    another: (different: Record<string, string> = {}) =>
      startNotifications({ env: { ...settings, ...different }, services: directory.client, database, clock }),
    /** Resolves when the message of this notification is in this state; `passing`: so much time goes by before each look. */
    becomes: (notificationId: string, state: string | undefined, { passing = 0 } = {}) =>
      expect
        .poll(async () => {
          if (passing > 0) await clock.advance(passing);
          return (await rowOf(notificationId))?.state;
        }, PATIENCE)
        .toBe(state),
    /** Resolves when the given number of attempts have failed and the message waits for another. */
    waitsAfter: (notificationId: string, attempts: number, { passing = 0 } = {}) =>
      expect
        .poll(async () => {
          if (passing > 0) await clock.advance(passing);
          const row = await rowOf(notificationId);
          return row?.state === 'queued' && row.last_error !== null ? row.attempts : 0;
        }, PATIENCE)
        .toBeGreaterThanOrEqual(attempts),
    async stop() {
      await notifications.stop();
      await directory.client.stop();
      await service.stop();
      tls.setDefaultCACertificates(believed);
      certificate.remove();
    },
  };
}
export type PushFixture = Awaited<ReturnType<typeof startPushing>>;
