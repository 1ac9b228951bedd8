import type { EventType, PayloadOf } from '@casewatch/contracts/event-type';
import { caseObserved, caseWatchChanged, userDeleted } from '@casewatch/contracts/events';
import type { MonitoringFrequency } from '@casewatch/contracts/limits';
import type { Watch } from '@casewatch/contracts/monitoring';
import { defaultPolicy } from '@casewatch/messaging/delivery-policy';
import { createGroupConsumer } from '@casewatch/messaging/group-consumer';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { pino } from 'pino';
import { openDatabase } from '../src/data/open-database.ts';
import { createSchedule } from '../src/data/schedule.ts';
import { service } from '../src/service.ts';
import { type Cases, startCases } from './cases-double.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Options {
  env?: Record<string, string>;
  database?: TestDatabase;
  clock?: ManualClock;
  telemetry?: Telemetry;
  /** Removes the inbox: every delivery reaches the handlers. */
  withoutInbox?: boolean;
}

export interface WatchRow {
  receipt_number: string;
  period_days: number;
  next_check_at: Date;
  owed_since: Date | null;
  attempts: number;
  last_failure: string | null;
  last_checked_at: Date | null;
  last_status: string | null;
  denials: number;
}

/**
 * The monitoring service with its real database and outbox, the real consumer in front of its handlers, and a
 * cases service of its own over real HTTP. The clock stands still until it is moved.
 */
export async function startMonitoring(options: Options = {}) {
  const clock = options.clock ?? createManualClock();
  const logger = pino({ level: 'silent' });
  const cases: Cases = await startCases(clock);
  const running = await startTestService(service, {
    ...(options.env ? { env: options.env } : {}),
    ...(options.database ? { database: options.database } : {}),
    ...(options.telemetry ? { telemetry: options.telemetry } : {}),
    clock,
    bus: createOutboxPublisher({ clock }),
    services: cases.client,
  });
  const { database } = running;
  const { pool, claims, close } = openDatabase({
    url: database.urlFor('monitoring'),
    maximum: 10,
    logger,
    schedule: createSchedule(1),
    clock,
  });
  const consumer = createGroupConsumer({
    group: 'monitoring',
    handlers: running.service.consumers,
    pool,
    clock,
    logger,
    policy: { ...defaultPolicy, retryDelaysMs: [] },
    ...(options.withoutInbox ? { claim: async (_tx, _group, ids) => new Set(ids) } : {}),
  });

  /** Hands an event over as the bus does, published at `atMs`; with `id` it can be handed over again. */
  const deliver = <Payload>(
    event: EventType<Payload>,
    payload: Payload,
    { atMs = clock.nowMs(), id = uuidV7(atMs) }: { atMs?: number; id?: string } = {},
  ) =>
    consumer.dispatch({
      id,
      topic: event.name,
      key: event.key(payload),
      payload,
      headers: { ce_time: new Date(atMs).toISOString() },
    });

  const watch = (receiptNumber: string) =>
    watches().then((all) => all.find((row) => row.receipt_number === receiptNumber));
  const watches = () => database.query<WatchRow>('SELECT * FROM monitoring.watches ORDER BY receipt_number');

  return {
    ...running,
    clock,
    cases,
    pool,
    consumer,
    deliver,
    /** What the scheduler works with, for tests that make single passes. */
    checking: {
      store: claims,
      services: cases.client,
      leaseMs: MINUTE,
      tracing: noTracing,
      count: () => undefined,
    },
    job: jobOf(running.service.jobs),
    /** A request that is above all before it, unless its version is given. */
    requestWatch: (
      userId: string,
      receiptNumber: string,
      frequency: MonitoringFrequency,
      details: WatchRequestDetails = {},
    ) => deliver(caseWatchChanged, request(userId, receiptNumber, frequency, details)),
    /** The agency's answer to a call after all before it, unless its number is given. */
    observe: (receiptNumber: string, status: string | undefined, call: number | bigint = nextNumber()) =>
      deliver(caseObserved, observation(receiptNumber, status, call, clock.nowMs())),
    deleteUser: (userId: string) => deliver(userDeleted, { userId }),
    watch,
    watches,
    watchers: () =>
      database.query<{ user_id: string; receipt_number: string; period_days: number | null }>(
        'SELECT user_id, receipt_number, period_days FROM monitoring.watchers ORDER BY user_id, receipt_number',
      ),
    /** The payloads of `status-changed` in the outbox, oldest first. */
    published: async () => {
      const rows = await database.query<{ payload: Record<string, string> }>(
        `SELECT payload FROM monitoring.outbox WHERE topic = 'status-changed' ORDER BY seq`,
      );
      return rows.map(({ payload }) => payload);
    },
    deadLetters: () => database.query('SELECT * FROM monitoring.dead_letters'),
    listFor: async (userId: string) => {
      const answer = await running.call('GET', '/api/watches', { as: { userId, tier: 'pro' } });
      if (answer.status !== 200) throw new Error(`watches answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as Watch[];
    },
    async stop() {
      await consumer.stop();
      await close();
      await cases.stop();
      await running.stop();
    },
  };
}
export type Monitoring = Awaited<ReturnType<typeof startMonitoring>>;

/** What the agency has answered; without a status, that it does not recognize the receipt number. */
export function observation(
  receiptNumber: string,
  status: string | undefined,
  call: number | bigint,
  atMs: number,
) {
  return {
    receiptNumber,
    callNumber: String(call),
    outcome: status === undefined ? ('not-recognized' as const) : ('observed' as const),
    ...(status === undefined ? {} : { status }),
    observedAt: new Date(atMs).toISOString(),
    source: 'monitor' as const,
  };
}

/** The answer that a list shows: to a call with this number. */
export interface Shown {
  status?: string;
  call: number | bigint;
  ageSeconds?: number;
}

export interface WatchRequestDetails {
  version?: number | bigint;
  /** The version of the request with which the user began to watch; this one's by default. */
  began?: number | bigint;
  /** What the list showed when the user began to watch, and shows now; nothing by default. */
  known?: Shown;
  /** What it shows now where that is something else. */
  shown?: Shown;
}

let lastNumber = 0;
/** Above all that were returned before. */
export const nextNumber = () => {
  lastNumber += 1;
  return lastNumber * 1_000;
};

/** How often a user wants a case checked. */
export function request(
  userId: string,
  receiptNumber: string,
  frequency: MonitoringFrequency,
  { version = nextNumber(), began = version, known = { call: 0 }, shown = known }: WatchRequestDetails = {},
): PayloadOf<typeof caseWatchChanged> {
  const asked = { userId, receiptNumber, frequency, version: String(version) };
  if (frequency === 'none') return asked;
  return { ...asked, beginning: { version: String(began), shown: toShown(known) }, shown: toShown(shown) };
}

const toShown = ({ status, call, ageSeconds }: Shown) => ({
  callNumber: String(call),
  ...(status === undefined ? {} : { status }),
  ...(ageSeconds === undefined ? {} : { ageSeconds }),
});

/** The nth receipt number. */
export const receipt = (n: number) => `EAC${String(n).padStart(10, '0')}`;
/** The nth user. */
export const user = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function jobOf<Job>([job]: readonly Job[]): Job {
  if (!job) throw new Error('the service has no job');
  return job;
}
