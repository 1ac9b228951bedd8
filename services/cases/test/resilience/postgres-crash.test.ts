import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnTestPostgres } from '@casewatch/dev-stack/postgres/own-postgres';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { TEST_ROLE_SECRET } from '@casewatch/testing/test-cluster';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { service } from '../../src/service.ts';
import { CALLS_PER_SECOND, type ReplicaDatabase, startLoad, startReplicas } from './replicas.ts';

interface LoggedRow {
  id: string;
  receiptNumber: string;
  outcome: string;
  code?: string;
  calls: unknown[];
}

/** A server of the test's own, to be crashed. */
async function startDatabase(): Promise<ReplicaDatabase> {
  const server = await startOwnTestPostgres();
  onTestFinished(server.stop);
  const ownerUrl = server.ownerUrl();
  const logger = pino({ level: 'silent' });
  await migrate({ ownerUrl, services: [service], roleSecret: TEST_ROLE_SECRET, logger });
  const urlFor = () => serviceUrl(ownerUrl, 'cases', TEST_ROLE_SECRET);
  async function query<Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []) {
    const client = new pg.Client({ connectionString: ownerUrl });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, parameters)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  // What is committed outlives the crash, as it does where the product runs.
  await query(`ALTER DATABASE ${new URL(ownerUrl).pathname.slice(1)} SET synchronous_commit = on`);
  return { urlFor, directUrlFor: urlFor, query };
}

test('R6: PostgreSQL crashes under load and forgets the queue: each lookup ends with its answer or a 503, and nothing is doubled', async () => {
  const database = await startDatabase();
  const cases = await startReplicas({ count: 3, database });
  const load = startLoad(cases);
  await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(20), 30_000);
  const epoch = (await cases.stored())?.epoch ?? 0;
  const [backend] = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'casewatch-agency-caller' LIMIT 1`,
  );
  // One that is killed takes the whole server down, which starts again and empties its unlogged tables.
  process.kill(backend?.pid ?? expect.fail('no caller'), 'SIGKILL');
  await vi.waitFor(async () => expect((await cases.stored())?.epoch).toBeGreaterThan(epoch), {
    timeout: 30_000,
    interval: 100,
  });
  const { total } = await cases.calls();
  await vi.waitFor(async () => expect((await cases.calls()).total).toBeGreaterThan(total + 20), 30_000);
  const answers = await load.end();
  await sleep(1_500);
  expect((await cases.calls()).maxInAnySecond).toBeLessThanOrEqual(CALLS_PER_SECOND);
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const afterwards = answers.slice(-10);
  expect(afterwards.map(({ status }) => status)).toEqual(afterwards.map(() => 200));
  const rows = (await cases.events('lookups-recorded')).flatMap(({ lookups }) => lookups as LoggedRow[]);
  // The log keeps the first row of an id. Rows whose commit the crash left unconfirmed are written once more, as they were; only where an
  // answer was stored just before it, and the queue forgot whom it was for, there is the 503 of that person after it.
  const versions = new Map<string, Map<string, LoggedRow>>();
  for (const row of rows)
    versions.set(row.id, (versions.get(row.id) ?? new Map()).set(JSON.stringify(row), row));
  for (const differing of [...versions.values()].filter(({ size }) => size > 1)) {
    const shown = [...differing.values()].map(({ outcome, code, calls }) => ({
      outcome,
      code,
      calls: calls.length,
    }));
    expect(shown).toEqual([
      { outcome: 'answered', code: undefined, calls: 1 },
      { outcome: 'error', code: expect.any(String), calls: 0 },
    ]);
  }
  const answered = new Set(
    answers.filter(({ status }) => status === 200).map(({ receiptNumber }) => receiptNumber),
  );
  const withAnswer = rows
    .filter(({ outcome }) => outcome === 'answered')
    .map(({ receiptNumber }) => receiptNumber);
  for (const receiptNumber of answered) expect(withAnswer).toContain(receiptNumber);
}, 120_000);
