import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkCases } from '@casewatch/contracts/check-cases';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startAgencyProcess } from '@casewatch/dev-stack/processes/agency-process';
import { type ProductProcess, startProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { createTokenIssuer } from '@casewatch/service-kit/http/identity-token';
import { IDENTITY_HEADER, INTERNAL_HEADER } from '@casewatch/service-kit/http/internal-headers';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { type Mutation, mutatedBy } from '@casewatch/testing/mutation';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { onTestFinished, vi } from 'vitest';

/** Several processes of the cases service on one database, with an agency of their own. */

export interface Replica extends ProductProcess {
  readonly url: string;
}

export interface ReplicaOptions {
  count?: number;
  callsPerSecond?: number;
  callsPerDay?: number;
  env?: Record<string, string>;
  /** Of one replica, by its place. */
  envOf?: (nth: number) => Record<string, string>;
  mutations?: readonly Mutation[];
  /** A new one of the shared server by default, which is dropped with the test. */
  database?: ReplicaDatabase;
}

export type ReplicaDatabase = Pick<TestDatabase, 'urlFor' | 'directUrlFor' | 'query'>;

/** `FAULTS_FULL=1` does everything as often as it is promised. */
export const KILLS = process.env.FAULTS_FULL === '1' ? 20 : 3;
export const CALLS_PER_SECOND = 10;
/** How long a lookup waits for its turn: longer than a handover. */
const WAIT_MS = 20_000;

export const user = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
/** Recognized by the simulator. */
export const receipt = (nth: number) => `SRC${String(3_000_000_000 + nth * 2)}`;

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

export async function startReplicas(options: ReplicaOptions = {}) {
  const { count = 6, callsPerSecond = CALLS_PER_SECOND, callsPerDay = 1_000_000 } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issue = createTokenIssuer(privateKey, systemClock);
  const { database, drop } = await openDatabase(options.database);
  const agency = await startAgencyProcess({ callsPerSecond });
  // What passes the rate shall be counted, not refused.
  await fetch(`${agency.controlUrl}/limits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callsPerSecond: 100_000 }),
  });
  const secret = randomUUID();
  /** Those that take requests or have taken some. */
  const replicas: Replica[] = [];
  const started: ProductProcess[] = [];

  async function add(more: Record<string, string> = {}): Promise<Replica> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const nth = started.length;
    const { process, ready } = startProductProcess({
      name: `cases ${nth + 1}`,
      program: 'services/cases/test/resilience/cases-process.ts',
      readyUrl: `${url}/readyz`,
      env: {
        ...agency.env,
        AGENCY_CALLS_PER_DAY: String(callsPerDay),
        BUDGET_WAIT_MS: String(WAIT_MS),
        DATABASE_URL: database.urlFor('cases'),
        DATABASE_DIRECT_URL: database.directUrlFor('cases'),
        TOKEN_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        INTERNAL_SECRET: secret,
        PORT: String(port),
        ...options.env,
        ...options.envOf?.(nth),
        ...more,
        ...mutatedBy(options.mutations ?? []),
      },
    });
    started.push(process);
    await ready;
    const replica = { ...process, url };
    replicas.push(replica);
    return replica;
  }

  onTestFinished(async () => {
    await Promise.all(started.map((process) => process.kill('SIGKILL')));
    await agency.stop();
    await drop();
  });
  await Promise.all(Array.from({ length: count }, () => add()));

  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(agency.controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : ((await answer.json()) as unknown);
  };

  async function calls(receiptNumber?: string) {
    const query = receiptNumber ? `?receiptNumber=${receiptNumber}` : '';
    return (await control('GET', `/calls${query}`)) as { total: number; maxInAnySecond: number };
  }

  async function stored() {
    const [row] = await database.query<{ epoch: number; left: boolean; paused: boolean; pauses: number }>(
      `SELECT epoch::float8 AS epoch, left_at IS NOT NULL AS left, coalesce(paused_until > clock_timestamp(), false) AS paused,
         pauses FROM cases.agency_caller`,
    );
    return row;
  }

  /** The process that calls, once there is one that says so. */
  async function caller(): Promise<Replica> {
    const found = await vi.waitFor(
      async () => {
        const row = await stored();
        const one = replicas.find(
          (replica) => replica.pid() !== undefined && row && replica.logs().includes(`"epoch":${row.epoch}`),
        );
        if (!one || row?.left) throw new Error('no process calls the agency');
        return one;
      },
      { timeout: 20_000, interval: 20 },
    );
    return found;
  }

  return {
    replicas,
    database,
    agency,
    add,
    control,
    calls,
    stored,
    caller,
    lookUp: (replica: Replica, receiptNumber: string, userId: string) =>
      fetch(`${replica.url}/api/case-status/${receiptNumber}`, {
        headers: {
          [IDENTITY_HEADER]: issue({ userId, tier: 'free', name: 'Test', sessionId: user(0) }, 'cases'),
        },
      }),
    async check(replica: Replica, receiptNumbers: readonly string[]) {
      const answer = await fetch(`${replica.url}/internal/cases/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [INTERNAL_HEADER]: secret },
        body: JSON.stringify({ receiptNumbers }),
      });
      return checkCases.answer.parse(await answer.json()).results;
    },
    /** When the next call came, in milliseconds from now. */
    async msToNextCall(withinMs: number): Promise<number> {
      const fromMs = performance.now();
      const before = (await calls()).total;
      while ((await calls()).total === before) {
        if (performance.now() - fromMs > withinMs) throw new Error(`no call within ${withinMs} ms`);
        await sleep(20);
      }
      return performance.now() - fromMs;
    },
    events: async (name: string) =>
      (
        await database.query<{ payload: Record<string, unknown> }>(
          'SELECT payload FROM cases.outbox WHERE topic = $1 ORDER BY seq',
          [name],
        )
      ).map(({ payload }) => payload),
  };
}

/**
 * Starts lookups of new cases, beginning with case `from`, at the replicas in turn and by several users; some are always waiting. The
 * status of one without an answer is 0.
 */
export function startLoad(cases: Replicas, from = 0) {
  const answers: { replica: Replica; receiptNumber: string; status: number; failure?: string }[] = [];
  const leftOut = new Set<Replica>();
  let isOver = false;
  let asked = from;

  async function ask(nth: number): Promise<void> {
    while (!isOver) {
      const open = cases.replicas.filter((replica) => !leftOut.has(replica));
      const number = asked++;
      const replica = open[number % open.length];
      if (!replica) throw new Error('every replica is left out');
      const receiptNumber = receipt(number);
      try {
        const answer = await cases.lookUp(replica, receiptNumber, user(nth % 5));
        const body = await answer.text();
        answers.push({
          replica,
          receiptNumber,
          status: answer.status,
          ...(answer.ok ? {} : { failure: body }),
        });
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        answers.push({ replica, receiptNumber, status: 0, failure: `${replica.name}: ${error} ${cause}` });
      }
    }
  }

  const running = Promise.all(Array.from({ length: 24 }, (_, nth) => ask(nth)));
  return {
    answers,
    /** It gets no more lookups: it is dead, frozen or about to stop. */
    leaveOut: (replica: Replica) => leftOut.add(replica),
    takeIn: (replica: Replica) => leftOut.delete(replica),
    async end() {
      isOver = true;
      await running;
      return answers;
    },
  };
}

/** Makes a database where none is given, which is then to be dropped. */
async function openDatabase(given: ReplicaDatabase | undefined) {
  if (given) return { database: given, drop: async () => undefined };
  const made = await createTestDatabase();
  const database: ReplicaDatabase = made;
  return { database, drop: made.drop };
}
