import { randomUUID } from 'node:crypto';
import type { ApiLog, AuditEntry } from '@casewatch/contracts/admin-log';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { adminActed } from '@casewatch/contracts/events';
import { FOUND_USERS_MAX, nameKeyOf } from '@casewatch/contracts/find-users';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { startTestService } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { z } from 'zod';
import { service } from '../src/service.ts';
import { type LookupFacts, lookupAt } from './lookup-at.ts';

export const ADMIN = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';

export type ActionFacts = Partial<PayloadOf<typeof adminActed>> & { eventId?: string };

export interface LogPage {
  logs: ApiLog[];
  totalCount: number;
  totalIsExact: boolean;
  older: string | null;
  newer: string | null;
}

export interface Options {
  env?: Record<string, string>;
  job?: boolean;
  /** How far the clock of the process is ahead of the database's time. */
  aheadMs?: number;
  /** Instead of the service's outbox. */
  bus?: EventBus;
  /** Of the users that identity finds by last name or e-mail address. */
  users?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The admin-log service over real HTTP and its own database, with a clock that stands still until it is moved.
 * Events reach it as from the bus: through a consumer group with its inbox. Its job runs where `job` says so.
 */
export async function startAdminLog({ env = {}, job = true, aheadMs = 0, bus, users = {} }: Options = {}) {
  const clock = createManualClock();
  const running = await startTestService(service, {
    env,
    clock: { ...clock, nowMs: () => clock.nowMs() + aheadMs },
    ...(bus ? { bus } : {}),
    services: identityThatKnows(users),
  });
  const pool = running.database.openPool('admin-log', 8);
  const consumer = createGroupConsumer({
    group: 'admin-log',
    handlers: running.service.consumers,
    pool,
    clock,
    logger: pino({ level: 'silent' }),
    policy: { ...defaultPolicy, retryDelaysMs: [] },
  });
  if (job) for (const each of running.service.jobs) each.start();

  const take = (topic: string, key: string, payload: unknown, id: string) =>
    consumer.dispatch({
      id,
      topic,
      key,
      payload,
      headers: { ce_time: new Date(clock.nowMs()).toISOString() },
    });
  const call = (path: string) => running.call('GET', path, { adminSession: ADMIN });

  return {
    ...running,
    clock,
    pool,
    /** A lookup ended just now, unless the facts say otherwise; resolves to its id when its event is settled. */
    async lookedUp(facts: LookupFacts = {}, eventId = uuidV7(clock.nowMs())): Promise<string> {
      const lookup = lookupAt(clock.nowMs(), facts);
      await take('lookups-recorded', eventId, { batchId: eventId, lookups: [lookup] }, eventId);
      return lookup.id;
    },
    /** The same of several lookups in one event; resolves to their ids. */
    async lookupsRecorded(all: readonly LookupFacts[], eventId = uuidV7(clock.nowMs())) {
      const lookups = all.map((facts) => lookupAt(clock.nowMs(), facts));
      await take('lookups-recorded', eventId, { batchId: eventId, lookups }, eventId);
      return lookups.map(({ id }) => id);
    },
    async adminActed({ eventId = uuidV7(clock.nowMs()), ...facts }: ActionFacts = {}): Promise<string> {
      const payload = { action: 'session.opened', subject: 'session', success: true, details: {}, ...facts };
      await take('admin-acted', payload.subject, payload, eventId);
      return eventId;
    },
    async userDeleted(userId: string): Promise<void> {
      await take('user-deleted', userId, { userId }, uuidV7(clock.nowMs()));
    },
    get: call,
    async logs(query = ''): Promise<LogPage> {
      return (await call(`/api/admin/logs${query}`)).json() as Promise<LogPage>;
    },
    async ids(query = ''): Promise<string[]> {
      return ((await (await call(`/api/admin/logs${query}`)).json()) as LogPage).logs.map(({ id }) => id);
    },
    async audit(query = '') {
      const answer = await call(`/api/admin/audit${query}`);
      return (await answer.json()) as { entries: AuditEntry[]; older: string | null };
    },
    async stop() {
      await consumer.stop();
      await running.stop();
    },
  };
}
export type AdminLogFixture = Awaited<ReturnType<typeof startAdminLog>>;

/** Identity's answers to a search for users, as they come over the wire. */
function identityThatKnows(users: Readonly<Record<string, readonly string[]>>): ServiceClient {
  return {
    async call(contract, input) {
      const { start } = z.object({ body: z.object({ start: z.string() }) }).parse(input).body;
      const found = Object.entries(users).flatMap(([text, ids]) =>
        text.startsWith(nameKeyOf(start)) ? ids : [],
      );
      const answer = {
        userIds: found.slice(0, FOUND_USERS_MAX),
        isComplete: found.length <= FOUND_USERS_MAX,
      };
      return contract.answer.parse(answer) as never;
    },
  };
}

export const newUserId = (): string => randomUUID();
