import { randomUUID } from 'node:crypto';
import type { PlanEndReason, PlanMilestone } from '@casewatch/contracts/limits';
import type { Notification, StatusNotification } from '@casewatch/contracts/notifications';
import type { PriceChange } from '@casewatch/contracts/translations';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { PubSub } from '@casewatch/shared-state/pub-sub/pub-sub';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { service } from '../src/service.ts';
import { openStream } from './stream-reader.ts';

export const RECEIPT = 'EAC9999103403';
/** Changes of one call are in the order in which they come. */
export const CALL = { callNumber: '0' };

export interface Options {
  env?: Record<string, string>;
  database?: TestDatabase;
  /** Another of the same time. */
  clock?: ManualClock;
  services?: ServiceClient;
  pubSub?: PubSub;
  telemetry?: Telemetry;
}

export interface Change {
  id?: string;
  /** When the event was published: now, unless given. */
  atMs?: number;
  receiptNumber?: string;
  oldStatus?: string;
  newStatus?: string;
  /** The number of the call that noticed it; without one, changes are in the order in which they come. */
  call?: number | bigint;
}

/**
 * The notifications service over real HTTP and its own database, with a clock that stands still until it is moved.
 * Events reach it as from the bus: through a consumer group with its inbox.
 */
export async function startNotifications(options: Options = {}) {
  const clock = options.clock ?? createManualClock();
  const running = await startTestService(service, { ...options, clock });
  const pool = running.database.openPool('notifications', 8);
  const consumer = createGroupConsumer({
    group: 'notifications',
    handlers: running.service.consumers,
    pool,
    clock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, retryDelaysMs: [] },
  });
  for (const job of running.service.jobs) job.start();
  let stopping: Promise<void> | undefined;

  const take = (topic: string, key: string, payload: unknown, id: string, atMs = clock.nowMs()) =>
    consumer.dispatch({
      id,
      topic,
      key,
      payload,
      headers: { ce_time: new Date(atMs).toISOString() },
    });

  return {
    ...running,
    clock,
    pool,
    consumer,
    /** A watched case moves; resolves to the event's id when the event is settled. */
    async statusChanged(userId: string, change: Change = {}): Promise<string> {
      const {
        atMs = clock.nowMs(),
        id = uuidV7(atMs),
        receiptNumber = RECEIPT,
        oldStatus,
        newStatus = 'Case Was Approved',
        call = 0,
      } = change;
      const changedAt = new Date(clock.nowMs()).toISOString();
      const calls = { callNumber: String(call) };
      const old = oldStatus ? { oldStatus } : {};
      const payload = { userId, receiptNumber, newStatus, changedAt, ...calls, ...old };
      await take('status-changed', receiptNumber, payload, id, atMs);
      return id;
    },
    /** Something happens to the user's plan; resolves to the event's id when the event is settled. */
    async planMilestone(
      userId: string,
      milestone: PlanMilestone,
      {
        id = uuidV7(clock.nowMs()),
        ...details
      }: { id?: string; reason?: PlanEndReason; priceChange?: PriceChange } = {},
    ): Promise<string> {
      const effectiveAt = new Date(clock.nowMs()).toISOString();
      const payload = { userId, milestone, effectiveAt, ...details };
      await take('plan-milestone-reached', userId, payload, id);
      return id;
    },
    /** Identity asks for an e-mail about an account; `eventId`: of an event that comes again. */
    async accountMailRequested(mailId: string, eventId = uuidV7(clock.nowMs())): Promise<void> {
      await take('account-mail-requested', mailId, { mailId }, eventId);
    },
    async savedCasesChanged(userId: string): Promise<void> {
      await take('saved-cases-changed', userId, { userId }, uuidV7(clock.nowMs()));
    },
    /** Sessions with devices ended. */
    async sessionsEnded(userId: string, deviceSessionIds: readonly string[]): Promise<void> {
      await take('user-sessions-ended', userId, { userId, deviceSessionIds }, uuidV7(clock.nowMs()));
    },
    async userDeleted(userId: string): Promise<void> {
      await take('user-deleted', userId, { userId }, uuidV7(clock.nowMs()));
    },
    async list(userId: string, query = '') {
      const answer = await running.call('GET', `/api/notifications${query}`, { as: { userId } });
      return {
        status: answer.status,
        unread: Number(answer.headers.get('x-unread-count')),
        /** Of users whose notifications are all about cases. */
        items: (await answer.json()) as StatusNotification[],
      };
    },
    /** The statuses of the user's notifications, newest first. */
    async statuses(userId: string, query = ''): Promise<string[]> {
      const answer = await running.call('GET', `/api/notifications${query}`, { as: { userId } });
      return ((await answer.json()) as Notification[]).map((one) =>
        one.kind === 'status' ? one.newStatus : one.kind === 'date' ? one.day : one.milestone,
      );
    },
    stream: async (
      userId: string,
      { lastEventId, query = '' }: { lastEventId?: string; query?: string } = {},
    ) =>
      openStream(
        await running.call('GET', `/api/notifications/stream${query}`, {
          as: { userId },
          headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
        }),
      ),
    /** Again is no error. */
    stop() {
      stopping ??= consumer.stop().then(running.stop);
      return stopping;
    },
  };
}
export type NotificationsFixture = Awaited<ReturnType<typeof startNotifications>>;

export const newUserId = (): string => randomUUID();
