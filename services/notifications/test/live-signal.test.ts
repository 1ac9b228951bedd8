import { createPostgresSignal } from '@casewatch/messaging/live/postgres-signal';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import type { ChannelListener, PubSub } from '@casewatch/shared-state/pub-sub/pub-sub';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { startTcpProxy } from '@casewatch/testing/tcp-proxy';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type NotificationsFixture, newUserId, startNotifications } from './notifications-fixture.ts';
import { describePush, TRACEPARENT } from './signal-contract.ts';

describe('pushes by NOTIFY', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.openPool('notifications', 4);
  });
  afterAll(() => database.drop());

  describePush({
    join: ({ traced } = { traced: false }) =>
      createPostgresSignal({
        service: 'notifications',
        databaseUrl: database.directUrlFor('notifications'),
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        ...(traced ? { tracing: { traceparent: () => TRACEPARENT } } : {}),
      }),
    pool: () => pool,
    cutOff: async () => {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casewatch-push-notifications'
           AND datname = current_database()`,
      );
    },
  });

  test('a listener whose server is lost without a message reconnects, and learns of the gap', async () => {
    const url = new URL(database.directUrlFor('notifications'));
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const clock = createManualClock();
    const logged: string[] = [];
    const push = createPostgresSignal({
      service: 'notifications',
      databaseUrl: url.href,
      clock,
      logger: pino({}, { write: (line) => logged.push(line) }),
    });
    let gaps = 0;
    const subscription = push.listen({
      onKey: () => undefined,
      onGap: () => {
        gaps += 1;
      },
    });
    try {
      await expect.poll(() => gaps, { timeout: 10_000 }).toBe(1);
      await proxy.set('hang');
      await clock.advance(10_000);
      await expect.poll(() => logged.join(), { timeout: 10_000 }).toContain('push listener: connection lost');
      await proxy.set('pass');
      const reconnected = async () => {
        await clock.advance(500);
        return gaps;
      };
      await expect.poll(reconnected, { timeout: 15_000 }).toBe(2);
    } finally {
      await subscription.stop();
      await proxy.stop();
    }
  });
});

describe('pushes by messages that can be lost', () => {
  let notifications: NotificationsFixture;
  afterEach(() => notifications.stop());

  /** Within the process; loses messages where it does not work, and says so where it is not subscribed. */
  function createPubSub(works: () => boolean, isSubscribed = () => true): PubSub & { published: string[] } {
    const listeners = new Set<ChannelListener>();
    const published: string[] = [];
    return {
      published,
      publish(_channel, message) {
        published.push(message);
        if (works()) for (const listener of listeners) listener.onMessage(message);
      },
      subscribe(_channel, listener) {
        listeners.add(listener);
        listener.onGap();
        return { isSubscribed, stop: () => listeners.delete(listener) };
      },
    };
  }

  test('one that is lost costs a minute, and its notification comes once', async () => {
    let works = false;
    notifications = await startNotifications({ pubSub: createPubSub(() => works) });
    const userId = newUserId();
    const stream = await notifications.stream(userId);
    await stream.next();
    await notifications.statusChanged(userId, { newStatus: 'its message was lost' });
    await notifications.clock.advance(60_000);
    expect((await stream.nextNotification()).newStatus).toBe('its message was lost');
    works = true;
    await notifications.statusChanged(userId, { newStatus: 'next' });
    expect((await stream.nextNotification()).newStatus).toBe('next');
  });

  test('without a connection a notification takes five seconds', async () => {
    const broken = createPubSub(
      () => false,
      () => false,
    );
    notifications = await startNotifications({ pubSub: broken });
    const userId = newUserId();
    const stream = await notifications.stream(userId);
    await stream.next();
    await notifications.statusChanged(userId, { newStatus: 'while disconnected' });
    await notifications.clock.advance(5_000);
    expect((await stream.nextNotification()).newStatus).toBe('while disconnected');
  });

  test('a process that ends between the commit and the message: the event comes again, and so does the message', async () => {
    const pubSub = createPubSub(() => true);
    notifications = await startNotifications({ pubSub });
    const userId = newUserId();
    const id = uuidV7(notifications.clock.nowMs());
    await notifications.statusChanged(userId, { id });
    await notifications.statusChanged(userId, { id });
    await notifications.savedCasesChanged(userId);
    const published = [`\n${userId}`, `\n${userId}`, `\ncases ${userId}`];
    expect(pubSub.published).toEqual(published);
    // Without e-mails there is no sender to signal.
    await notifications.accountMailRequested(newUserId());
    await notifications.planMilestone(userId, 'pro-returned');
    expect(pubSub.published).toEqual([...published, `\n${userId}`]);
    expect(await notifications.statuses(userId)).toEqual(['pro-returned', 'Case Was Approved']);
  });

  test('nothing is notified within commits', async () => {
    const pubSub = createPubSub(() => true);
    notifications = await startNotifications({ pubSub });
    const client = new pg.Client({ connectionString: notifications.database.ownerUrl });
    await client.connect();
    const heard: string[] = [];
    client.on('notification', ({ payload = '' }) => heard.push(payload));
    await client.query('LISTEN push_notifications');
    await notifications.statusChanged(newUserId());
    await client.query(`SELECT pg_notify('push_notifications', 'by the test')`);
    await expect.poll(() => heard).toEqual(['by the test']);
    await client.end();
  });
});
