import { randomUUID } from 'node:crypto';
import { startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';
import type { BulkResultItem, CaseStatusResult, SavedCase } from '@casewatch/contracts/cases';
import { type CheckResult, checkCases } from '@casewatch/contracts/check-cases';
import type { EventType, PayloadOf } from '@casewatch/contracts/event-type';
import { lookupsRecorded } from '@casewatch/contracts/events';
import { isLookupOutcome, isSuccess } from '@casewatch/contracts/lookup-outcomes';
import type { EventBus, EventMeta } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { createManualClock } from '@casewatch/testing/manual-clock';
import type { TestDatabase } from '@casewatch/testing/test-database';
import { type Person, startTestService } from '@casewatch/testing/test-service';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { CheckRequester } from '../src/domain/lookup.ts';
import { service } from '../src/service.ts';
import { startAgencyRoad } from './agency-road.ts';

export const ADA: Person = {
  userId: '11111111-1111-4111-8111-111111111111',
  tier: 'free',
  name: 'Ada',
};
export const BOB: Person = {
  userId: '22222222-2222-4222-8222-222222222222',
  tier: 'free',
  name: 'Bob',
};
export const PAT: Person = { userId: '33333333-3333-4333-8333-333333333333', tier: 'pro', name: 'Mary Ann' };

const SLOW_MACHINE_MS = 10_000;

export const CLIENT = { clientId: 'test-client', clientSecret: 'test-secret' };

export interface FixtureOptions {
  env?: Record<string, string>;
  /** Of the service; the simulator's clock always runs. The default stands still until it is moved. */
  clock?: Clock;
  database?: TestDatabase;
  telemetry?: Telemetry;
  agency?: { callsPerSecond?: number; callsPerDay?: number };
  agencyUrl?: string;
  /** Instead of the service's outbox. */
  bus?: EventBus;
  /** Holds status calls up on their way to the agency. */
  holdUp?: (nth: number) => Promise<void>;
}

/** The cases service over real HTTP and its own database, with a real agency simulator behind it. */
export async function startCases(options: FixtureOptions = {}) {
  const manual = createManualClock();
  const clock = options.clock ?? manual;
  const agency = await startAgencySimulator({
    ...CLIENT,
    port: 0,
    control: true,
    callsPerSecond: 1_000,
    ...options.agency,
  });
  const road = options.holdUp && (await startAgencyRoad(agency.url, options.holdUp));
  const running = await startTestService(service, {
    clock,
    ...(options.bus ? { bus: options.bus } : {}),
    ...(options.database ? { database: options.database } : {}),
    ...(options.telemetry ? { telemetry: options.telemetry } : {}),
    env: {
      AGENCY_BASE_URL: options.agencyUrl ?? road?.url ?? agency.url,
      AGENCY_CLIENT_ID: CLIENT.clientId,
      AGENCY_CLIENT_SECRET: CLIENT.clientSecret,
      AGENCY_CALLS_PER_SECOND: '1000',
      AGENCY_CALLS_PER_DAY: '100000',
      ...options.env,
    },
  });
  // This process, or another one of the same database, is ready to call.
  await vi.waitFor(async () => {
    expect(await running.database.query('SELECT FROM cases.agency_caller')).toHaveLength(1);
  }, SLOW_MACHINE_MS);
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${agency.url}/__control${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : ((await answer.json()) as unknown);
  };

  return {
    ...running,
    clock: manual,
    agencyUrl: agency.url,
    acceptClients: agency.acceptClients,
    control,
    fault: (fault: Record<string, unknown>) => control('PUT', '/faults', fault),
    move: (receiptNumber: string, status: string, date?: string) =>
      control('PUT', `/cases/${receiptNumber}`, { status, ...(date ? { date } : {}) }),
    /** Calls of the status endpoint that arrived at the agency. */
    async calls(receiptNumber?: string) {
      const query = receiptNumber ? `?receiptNumber=${receiptNumber}` : '';
      return (await control('GET', `/calls${query}`)) as { total: number; maxInAnySecond: number };
    },
    lookUp: (receiptNumber: string, as: Person = ADA) =>
      running.call('GET', `/api/case-status/${encodeURIComponent(receiptNumber)}`, { as }),
    async found(receiptNumber: string, as: Person = ADA): Promise<CaseStatusResult> {
      const answer = await running.call('GET', `/api/case-status/${receiptNumber}`, { as });
      if (answer.status !== 200) throw new Error(`lookup answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as CaseStatusResult;
    },
    async bulk(receiptNumbers: string[], as: Person = PAT) {
      const answer = await running.call('POST', '/api/case-status/bulk', { as, body: { receiptNumbers } });
      if (answer.status !== 200) throw new Error(`bulk answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as BulkResultItem[];
    },
    /** As monitoring does. */
    async check(receiptNumbers: readonly string[], signal?: AbortSignal): Promise<CheckResult[]> {
      const body = { receiptNumbers };
      const answer = await running.call('POST', '/internal/cases/check', {
        body,
        ...(signal ? { signal } : {}),
      });
      if (answer.status !== 200) throw new Error(`check answered ${answer.status}: ${await answer.text()}`);
      return checkCases.answer.parse(await answer.json()).results;
    },
    /** The caller, as it has stored itself. */
    async caller() {
      const [row] = await running.database.query('SELECT * FROM cases.agency_caller');
      return row;
    },
    /** How many lookups wait for a turn. */
    async waiting(): Promise<number> {
      const rows = await running.database.query(
        'SELECT FROM cases.agency_queue WHERE outcome IS NULL AND turn IS NULL',
      );
      return rows.length;
    },
    save: (receiptNumber: string, as: Person = ADA, more: Record<string, unknown> = {}) =>
      running.call('POST', '/api/saved-cases', { as, body: { receiptNumber, ...more } }),
    change: (receiptNumber: string, body: unknown, as: Person = ADA) =>
      running.call('PATCH', `/api/saved-cases/${receiptNumber}`, { as, body }),
    remove: (receiptNumber: string, as: Person = ADA) =>
      running.call('DELETE', `/api/saved-cases/${receiptNumber}`, { as }),
    async saved(as: Person = ADA): Promise<SavedCase[]> {
      return (await (await running.call('GET', '/api/saved-cases', { as })).json()) as SavedCase[];
    },
    eventsOf: async <Payload>(event: EventType<Payload>): Promise<Payload[]> =>
      (await running.published())
        .filter(({ name }) => name === event.name)
        .map(({ payload }) => event.decode(payload)),
    /** The published rows of the request log, with what the log derives from them. */
    logged: async () =>
      (await running.published()).flatMap(({ name, payload }) =>
        name === lookupsRecorded.name ? lookupsRecorded.decode(payload).lookups.map(asLogged) : [],
      ),
    /** Hands an event to the service as the bus would: in a transaction of the service's own role. */
    async deliver<Payload>(event: EventType<Payload>, payload: Payload, timeMs = clock.nowMs()) {
      const handler = running.service.consumers.find((one) => one.event.name === event.name);
      if (!handler) throw new Error(`cases does not consume ${event.name}`);
      const meta: EventMeta = { id: crypto.randomUUID(), timeMs, traceparent: undefined };
      const client = new pg.Client({
        connectionString: running.database.urlFor('cases'),
        options: '-c search_path=cases',
      });
      await client.connect();
      const tx: SqlExecutor = {
        query: async <Row>(sql: string, parameters: readonly unknown[]) =>
          (await client.query({ text: sql, values: [...parameters] })).rows as Row[],
      };
      try {
        await client.query('BEGIN');
        await handler.handle(event.encode(payload), meta, tx);
        await client.query('COMMIT');
      } finally {
        await client.end();
      }
    },
    stop: async () => {
      await running.stop();
      await road?.stop();
      await agency.stop();
    },
  };
}
export type CasesFixture = Awaited<ReturnType<typeof startCases>>;

/** Returns what a scheduled check puts into the queue. */
export function newCheck(): CheckRequester {
  return {
    source: 'monitor',
    lookup: {
      id: randomUUID(),
      origin: 'scheduled',
      requestId: undefined,
      traceId: undefined,
      startedAtMs: 0,
    },
  };
}

export async function errorOf(answer: Response) {
  const body = (await answer.json()) as { error: string; code: string; agencyMessage?: string };
  return {
    status: answer.status,
    code: body.code,
    error: body.error,
    agencyMessage: body.agencyMessage,
    retryAfter: answer.headers.get('retry-after'),
  };
}

function asLogged(row: PayloadOf<typeof lookupsRecorded>['lookups'][number]) {
  const last = row.calls.at(-1);
  return {
    ...row,
    receiptNumbers: [row.receiptNumber],
    success: isLookupOutcome(row.outcome) && isSuccess(row.outcome),
    statusCode: last?.statusCode,
    responsePayload: last?.response ?? '',
    agencyCalls: row.calls.length,
    earlierCalls: row.calls
      .slice(0, -1)
      .map(({ response, ...call }) => ({ ...call, responsePayload: response })),
  };
}
