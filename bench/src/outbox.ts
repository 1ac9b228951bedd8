import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { userLoggedIn } from '@casewatch/contracts/events';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { pruneOutbox } from '@casewatch/messaging/outbox-rows';
import { migrate } from '@casewatch/service-definition/migrate';
import { inTransaction } from '@casewatch/service-kit/database/consumer-transaction';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';
import { type Child, cpuSeconds, root, startChild } from './child.ts';
import { cpuSecondsOfTree } from './pipeline/cpu.ts';

/**
 * `npm run bench:outbox`, on a PostgreSQL of its own with fsync on, rounds in turn:
 * commits per second of 16 writers that update a row, that publish an event besides, and that do so with a trigger that notifies
 * in each commit, at three commit delays; events per second and processor time of relays on a full outbox; processor time
 * of a relay with nothing to do; and how fast done events are deleted. `BASELINE=<checkout>` adds the relay of that state.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const COMMIT_MS = Number(process.env.COMMIT_MS ?? 1_500);
const EVENTS = Number(process.env.EVENTS ?? 40_000);
const IDLE_MS = 5_000;
const WRITERS = 16;
const DELAYS_MS = [0, 2, 5] as const;
const KEYS = 2_000;

const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-bench-'));
const roleSecret = randomBytes(16).toString('hex');
const server = await startEmbeddedPostgres({
  dataDir: path.join(folder, 'pg'),
  password: roleSecret,
  serverSettings: ['max_wal_size=8GB', 'checkpoint_timeout=1h', 'autovacuum_naptime=5s'],
});
const serverPid = Number(readFileSync(path.join(folder, 'pg/postmaster.pid'), 'utf8').split('\n')[0]);
const owner = new pg.Pool({ connectionString: server.ownerUrl, max: 4 });
const relayUrl = serviceUrl(server.ownerUrl, 'billing', roleSecret);
const pool = new pg.Pool({ connectionString: relayUrl, max: WRITERS, options: '-c search_path=billing' });
const bus = createOutboxPublisher({ clock: systemClock });
const now = relayIn(root);
const before = process.env.BASELINE ? relayIn(path.resolve(process.env.BASELINE)) : undefined;

try {
  await prepare();
  await measureCommits();
  await measureRelays();
  await measureIdle();
  await measureDeletes();
} finally {
  await pool.end();
  await owner.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function prepare(): Promise<void> {
  const migrations = new URL('../../services/billing/migrations/', import.meta.url);
  const logger = createLogger({ level: 'error', name: 'bench' });
  await migrate({
    ownerUrl: server.ownerUrl,
    services: [{ name: 'billing', migrations }],
    roleSecret,
    logger,
  });
  await owner.query(`
    CREATE TABLE billing.rows (id integer PRIMARY KEY, n integer NOT NULL) WITH (fillfactor = 50);
    INSERT INTO billing.rows SELECT n, 0 FROM generate_series(0, ${WRITERS - 1}) AS n;
    GRANT ALL ON billing.rows TO PUBLIC;
    CREATE FUNCTION billing.notify_relay() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_notify('outbox_' || TG_TABLE_SCHEMA, ''); RETURN NULL; END $$;
  `);
  await owner.query('ALTER SYSTEM SET commit_siblings = 0');
}

async function setNotify(on: boolean): Promise<void> {
  await owner.query('DROP TRIGGER IF EXISTS notifies ON billing.outbox');
  if (on)
    await owner.query(`CREATE TRIGGER notifies AFTER INSERT ON billing.outbox
      FOR EACH STATEMENT EXECUTE FUNCTION billing.notify_relay()`);
}

async function measureCommits(): Promise<void> {
  const kinds = ['none', 'outbox', 'outbox and relay', 'outbox that notifies, and relay'] as const;
  console.log(
    `\n| commits/s of ${WRITERS} writers (ratio to none) | ${kinds.join(' | ')} |\n|---|---|---|---|---|`,
  );
  for (const delayMs of DELAYS_MS) {
    await owner.query(`ALTER SYSTEM SET commit_delay = ${delayMs * 1_000}`);
    await owner.query('SELECT pg_reload_conf()');
    const rates = new Map<string, number[]>(kinds.map((kind) => [kind, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        await owner.query('TRUNCATE billing.outbox');
        await setNotify(kind.includes('notifies'));
        const relay = kind.includes('relay')
          ? await startRelay(kind.includes('notifies') ? (before ?? now) : now)
          : undefined;
        rates.get(kind)?.push(await commitsPerSecond(kind !== 'none'));
        await relay?.stop();
      }
    }
    await setNotify(false);
    const none = median(rates.get('none') ?? []);
    const cells = kinds.map((kind) => {
      const all = rates.get(kind) ?? [];
      return `${spread(all, 0)}, ${(median(all) / none).toFixed(2)}`;
    });
    console.log(`| delay of ${delayMs} ms | ${cells.join(' | ')} |`);
  }
  await owner.query('ALTER SYSTEM RESET commit_delay');
  await owner.query('SELECT pg_reload_conf()');
}

async function commitsPerSecond(publishes: boolean): Promise<number> {
  const untilMs = performance.now() + COMMIT_MS;
  let commits = 0;
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      while (performance.now() < untilMs) {
        await inTransaction(pool, async (tx) => {
          await tx.query('UPDATE rows SET n = n + 1 WHERE id = $1', [writer]);
          if (publishes)
            await bus.publish(tx, userLoggedIn, {
              userId: `user-${writer}-${commits % KEYS}`,
              loginCount: commits,
            });
        });
        commits++;
      }
    }),
  );
  return (commits / (performance.now() - startMs)) * 1_000;
}

async function measureRelays(): Promise<void> {
  const kinds = [
    ...(before ? [{ name: 'before, two processes (one active)', module: before, count: 2 }] : []),
    { name: 'one relay', module: now, count: 1 },
    { name: 'two relays', module: now, count: 2 },
  ];
  const results = new Map(
    kinds.map(({ name }) => [
      name,
      { rates: [] as number[], node: [] as number[], postgres: [] as number[] },
    ]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, module, count } of round % 2 === 0 ? kinds : kinds.toReversed()) {
      await fill(false);
      const relays = await Promise.all(Array.from({ length: count }, () => startRelay(module, EVENTS / 20)));
      const cpu = () => ({ node: cpuSeconds(relays), postgres: cpuSecondsOfTree(serverPid) });
      const pendingAtStart = await pending();
      const start = { ...cpu(), atMs: performance.now() };
      await empty();
      const seconds = (performance.now() - start.atMs) / 1_000;
      const end = cpu();
      const result = results.get(name);
      result?.rates.push(pendingAtStart / seconds);
      result?.node.push(((end.node - start.node) / pendingAtStart) * 1e6);
      result?.postgres.push(((end.postgres - start.postgres) / pendingAtStart) * 1e6);
      await Promise.all(relays.map((relay) => relay.stop()));
    }
  }
  console.log(
    `\n| ${EVENTS} events, ${KEYS} keys | events/s | CPU µs per event: relays | PostgreSQL |\n|---|---|---|---|`,
  );
  for (const [name, { rates, node, postgres }] of results)
    console.log(`| ${name} | ${spread(rates, 0)} | ${spread(node, 1)} | ${spread(postgres, 1)} |`);
}

async function fill(done: boolean): Promise<void> {
  await owner.query('TRUNCATE billing.outbox');
  await owner.query(`INSERT INTO billing.outbox (id, topic, key, payload, headers, created_at, done_at)
    SELECT uuidv7(), 'user-logged-in', 'user-' || n % ${KEYS},
      jsonb_build_object('userId', 'user-' || n % ${KEYS}, 'loginCount', n, 'details', repeat('x', 200)),
      jsonb_build_object('ce_id', n, 'ce_specversion', '1.0', 'ce_type', 'casewatch.events.v1.UserLoggedIn',
        'ce_time', now(), 'ce_source', '/casewatch/billing', 'content-type', 'application/json'),
      now(), ${done ? `now() - interval '2 days'` : 'NULL'}
    FROM generate_series(1, ${EVENTS}) AS n`);
  await owner.query('VACUUM ANALYZE billing.outbox');
  await owner.query('CHECKPOINT');
}

async function pending(): Promise<number> {
  const { rows } = await owner.query(
    'SELECT count(*)::int AS count FROM billing.outbox WHERE done_at IS NULL',
  );
  return rows[0].count;
}

async function empty(): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.query(
      'SELECT 1 FROM billing.outbox WHERE done_at IS NULL ORDER BY seq DESC LIMIT 1',
    );
    if (rowCount === 0) return;
    await systemClock.sleep(20);
  }
}

async function measureIdle(): Promise<void> {
  await fill(true);
  await owner.query('DELETE FROM billing.outbox');
  console.log(`\n| idle relay, 1 process | CPU ms/s: relay | PostgreSQL |\n|---|---|---|`);
  for (const [name, module] of [...(before ? [['before', before] as const] : []), ['now', now] as const]) {
    const relay = await startRelay(module);
    await systemClock.sleep(1_500);
    const cpu = () => [cpuSeconds([relay]), cpuSecondsOfTree(serverPid)] as const;
    const [node, postgres] = cpu();
    await systemClock.sleep(IDLE_MS);
    const [nodeEnd, postgresEnd] = cpu();
    const perSecond = (seconds: number) => ((seconds * 1e3) / (IDLE_MS / 1e3)).toFixed(1);
    console.log(`| ${name} | ${perSecond(nodeEnd - node)} | ${perSecond(postgresEnd - postgres)} |`);
    await relay.stop();
  }
}

async function measureDeletes(): Promise<void> {
  await fill(true);
  const startMs = performance.now();
  const cpu = cpuSecondsOfTree(serverPid);
  while ((await pruneOutbox(poolExecutor(pool), Date.now() - 86_400_000)) > 0);
  const seconds = (performance.now() - startMs) / 1_000;
  const each = ((cpuSecondsOfTree(serverPid) - cpu) / EVENTS) * 1e6;
  console.log(
    `\n${Math.round(EVENTS / seconds)} done events deleted a second, ${each.toFixed(1)} µs of PostgreSQL's CPU each.`,
  );
}

function relayIn(checkout: string): string {
  return pathToFileURL(path.join(checkout, 'packages/messaging/src/outbox-relay.ts')).href;
}

/** Resolves once it relays: `handled` events are done, when there are some. */
async function startRelay(module: string, handled = 0): Promise<Child> {
  const relay = await startChild('bench/src/outbox/relay-process.ts', {}, /started/, [module, relayUrl]);
  while (handled > 0 && EVENTS - (await pending()) < handled) await systemClock.sleep(5);
  return relay;
}

function spread(values: readonly number[], digits: number): string {
  return `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}-${Math.max(...values).toFixed(digits)})`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
