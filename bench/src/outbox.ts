import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { userLoggedIn } from '@casewatch/contracts/events';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { migrate } from '@casewatch/service-definition/migrate';
import { serviceUrl } from '@casewatch/service-kit/database/service-url';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import pg from 'pg';
import { type Child, cpuSeconds, startChild } from './child.ts';
import { cpuSecondsOfTree } from './cpu.ts';
import { median, spread } from './spread.ts';

/**
 * `npm run bench:outbox`, on a PostgreSQL of its own with fsync on, rounds in turn:
 * commits per second, and processor time of each, of 16 writers that update a row, write to a plain table besides, or publish an
 * event instead, at three commit delays; events per second and processor time of relays on a full outbox.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const COMMIT_MS = Number(process.env.COMMIT_MS ?? 1_500);
const EVENTS = Number(process.env.EVENTS ?? 40_000);
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
const relayUrl = serviceUrl(server.ownerUrl, 'billing', roleSecret);
const owner = new pg.Pool({ connectionString: server.ownerUrl, max: 4 });
const pool = new pg.Pool({ connectionString: relayUrl, max: WRITERS, options: '-c search_path=billing' });
for (const each of [owner, pool]) each.on('error', () => undefined);
const bus = createOutboxPublisher({ clock: systemClock });

try {
  await prepare();
  await measureCommits();
  await measureRelays();
} finally {
  await Promise.all([pool.end(), owner.end()]);
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
    CREATE TABLE billing.plain (id uuid PRIMARY KEY, topic text, payload jsonb);
    GRANT ALL ON billing.rows, billing.plain TO PUBLIC;
  `);
  await owner.query('ALTER SYSTEM SET commit_siblings = 0');
}

async function measureCommits(): Promise<void> {
  const kinds = [
    { name: 'no event', relayed: false },
    { name: 'row in a plain table', relayed: false },
    { name: 'event', relayed: false },
    { name: 'event, and relay', relayed: true },
  ];
  console.log(
    `\n| ${WRITERS} writers (ratio to a plain table) | commits/s | CPU µs per commit: PostgreSQL | writers |\n|---|---|---|---|`,
  );
  for (const delayMs of DELAYS_MS) {
    await owner.query(`ALTER SYSTEM SET commit_delay = ${delayMs * 1_000}`);
    await owner.query('SELECT pg_reload_conf()');
    const results = new Map(
      kinds.map((kind) => [kind, { rates: [] as number[], postgres: [] as number[], node: [] as number[] }]),
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        await owner.query('TRUNCATE billing.outbox');
        const relay = kind.relayed ? await startRelay() : undefined;
        const cpu = { postgres: cpuSecondsOfTree(serverPid), node: process.cpuUsage() };
        const { commits, perSecond } = await commit(kind.name);
        const node = process.cpuUsage(cpu.node);
        const result = results.get(kind);
        result?.rates.push(perSecond);
        result?.postgres.push(((cpuSecondsOfTree(serverPid) - cpu.postgres) / commits) * 1e6);
        result?.node.push((node.user + node.system) / commits);
        await relay?.stop();
      }
    }
    const plain = [...results].find(([{ name }]) => name === 'row in a plain table')?.[1];
    const plainCpu = median(plain?.postgres ?? []) + median(plain?.node ?? []);
    for (const [{ name }, { rates, postgres, node }] of results) {
      const ratio = (median(rates) / median(plain?.rates ?? [])).toFixed(2);
      const cpuRatio = (plainCpu / (median(postgres) + median(node))).toFixed(2);
      console.log(
        `| ${delayMs} ms, ${name} | ${spread(rates, 0)}, ${ratio} | ${spread(postgres, 0)} | ${spread(node, 0)}; both ${cpuRatio} |`,
      );
    }
  }
  await owner.query('ALTER SYSTEM RESET commit_delay');
  await owner.query('SELECT pg_reload_conf()');
}

async function commit(kind: string): Promise<{ commits: number; perSecond: number }> {
  const startMs = performance.now();
  const untilMs = startMs + COMMIT_MS;
  let commits = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      while (performance.now() < untilMs) {
        await inTransaction(pool, async (tx) => {
          await tx.query('UPDATE rows SET n = n + 1 WHERE id = $1', [writer]);
          const payload = { userId: `user-${writer}-${commits % KEYS}`, loginCount: commits };
          if (kind === 'row in a plain table')
            await tx.query(
              'INSERT INTO plain (id, topic, payload) VALUES (uuidv7(), $1, $2)',
              [userLoggedIn.name, JSON.stringify(payload)],
              'plain_insert',
            );
          else if (kind !== 'no event') await bus.publish(tx, userLoggedIn, payload);
        });
        commits++;
      }
    }),
  );
  return { commits, perSecond: (commits / (performance.now() - startMs)) * 1_000 };
}

async function measureRelays(): Promise<void> {
  const kinds = [
    { name: 'one relay', count: 1 },
    { name: 'two relays', count: 2 },
  ];
  const results = new Map(
    kinds.map(({ name }) => [
      name,
      { rates: [] as number[], node: [] as number[], postgres: [] as number[] },
    ]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, count } of round % 2 === 0 ? kinds : kinds.toReversed()) {
      await fill();
      const relays = await Promise.all(Array.from({ length: count }, () => startRelay(EVENTS / 20)));
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

async function fill(): Promise<void> {
  await owner.query('TRUNCATE billing.outbox');
  await owner.query(`INSERT INTO billing.outbox (id, topic, key, payload, headers, created_at, done_at)
    SELECT uuidv7(), 'user-logged-in', 'user-' || n % ${KEYS},
      jsonb_build_object('userId', 'user-' || n % ${KEYS}, 'loginCount', n, 'details', repeat('x', 200)),
      jsonb_build_object('ce_id', n, 'ce_specversion', '1.0', 'ce_type', 'casewatch.events.v1.UserLoggedIn',
        'ce_time', now(), 'ce_source', '/casewatch/billing', 'content-type', 'application/json'),
      now(), NULL
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

/** Resolves once it relays: `handled` events are done, when there are some. */
async function startRelay(handled = 0): Promise<Child> {
  const relay = await startChild('bench/src/outbox/relay-process.ts', {}, /started/, [relayUrl]);
  while (handled > 0 && EVENTS - (await pending()) < handled) await systemClock.sleep(5);
  return relay;
}
