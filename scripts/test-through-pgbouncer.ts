import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@casewatch/dev-stack/free-port';
import { startEmbeddedPostgres } from '@casewatch/dev-stack/postgres/embedded-postgres';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { DEFAULT_ROLE_SECRET } from '@casewatch/dev-stack/processes/product-processes';
import { pgbouncerCommand } from '@casewatch/dev-stack/tools/pgbouncer-binary';
import { registry } from '@casewatch/host/registry';
import { derivePassword, roleOf } from '@casewatch/service-kit/database/service-url';

/**
 * `node scripts/test-through-pgbouncer.ts [folder…]`: the component tests of all services, and of one process that runs them all,
 * through a real PgBouncer in transaction mode. Only what needs a session connects directly (DATABASE_DIRECT_URL), and the owner.
 * Ended by a signal, it ends the tests and both servers first.
 */
const TESTS = [...registry.map(({ name }) => `services/${name}/test`), 'host/test/single-process.test.ts'];
const READY_WITHIN_MS = 20_000;

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());

const [command, ...words] = await pgbouncerCommand();
const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-pgbouncer-'));
chmodSync(folder, 0o755);
const database = await startEmbeddedPostgres({
  dataDir: path.join(folder, 'pg'),
  password: randomBytes(16).toString('base64url'),
  serverSettings: ['fsync=off', 'max_connections=400'],
});
try {
  const port = await freePort();
  const pooler = spawnChild(command, [...words, settingsFile(port)], { detached: true });
  pooler.stdout.resume();
  pooler.stderr.resume();
  try {
    await untilOpen(port);
    process.exitCode = ending.signal.aborted ? 1 : await runTests(port);
  } finally {
    pooler.kill('SIGKILL');
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function runTests(port: number): Promise<number> {
  const tests = process.argv.length > 2 ? process.argv.slice(2) : TESTS;
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project=component', ...tests],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE_URL: database.ownerUrl,
        TEST_DATABASE_POOLER: `127.0.0.1:${port}`,
      },
    },
  );
  ending.signal.addEventListener('abort', () => vitest.kill('SIGTERM'));
  const [code] = (await once(vitest, 'exit')) as [number | null];
  return code ?? 1;
}

/** As docs/data-stores.md has it: the services prepare statements, search their own schema and bound each statement. */
function settingsFile(port: number): string {
  const users = path.join(folder, 'users.txt');
  const lines = registry.map(
    ({ name }) => `"${roleOf(name)}" "${derivePassword(name, DEFAULT_ROLE_SECRET)}"`,
  );
  writeFileSync(users, `${lines.join('\n')}\n`);
  const settings = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${database.port} connect_query='SET statement_timeout = 15000; SET idle_in_transaction_session_timeout = 8000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 1000
track_extra_parameters = search_path
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
default_pool_size = 5
max_client_conn = 1100
${process.getuid?.() === 0 ? 'user = nobody\n' : ''}`,
  );
  return settings;
}

async function untilOpen(port: number): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const socket = createConnection({ host: '127.0.0.1', port });
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
    if (performance.now() > deadline) throw new Error('PgBouncer did not start');
    await pause(25);
  }
}
