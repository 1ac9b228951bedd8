import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { redisBinary } from './redis.ts';
import { sendRedisCommand } from './redis-command.ts';
import { startRedisProcess } from './redis-process.ts';

/** A real master with a replica, watched by real sentinels; all of them ask for a password. */
export interface TestRedisSentinel {
  readonly url: string;
  /** Kills the current master (SIGKILL). Resolves at once: the sentinels promote the replica later. */
  killMaster(): Promise<void>;
  /** Swaps master and replica, as for maintenance: the old master continues as a replica. */
  swap(): Promise<void>;
  stop(): Promise<void>;
}

const MASTER = 'mymaster';
const SENTINELS = 3;
const PASSWORD = 'of-the-servers';
const SENTINEL_PASSWORD = 'of-the-sentinels';
const DOWN_AFTER_MS = 2_000;
const READY_WITHIN_MS = 60_000;
const auth = { server: `AUTH ${PASSWORD}`, sentinel: `AUTH ${SENTINEL_PASSWORD}` };

/** Starts all servers from a binary of this machine. @throws when there is none, or when they don't find each other in a minute */
export async function startTestRedisSentinel(): Promise<TestRedisSentinel> {
  const binary = await redisBinary();
  const folder = mkdtempSync(path.join(tmpdir(), 'casewatch-test-redis-sentinel-'));
  const started: Awaited<ReturnType<typeof startRedisProcess>>[] = [];
  const start = async (words: readonly string[], port?: number) => {
    const server = await startRedisProcess(binary, { words, ...(port ? { port } : {}) });
    started.push(server);
    return server;
  };
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const kept = ['--dir', folder, '--save', '', '--appendonly', 'no', '--repl-diskless-sync-delay', '0'];
    const guarded = [...kept, '--requirepass', PASSWORD, '--masterauth', PASSWORD];
    const first = await start(guarded);
    const second = await start([...guarded, '--replicaof', '127.0.0.1', `${first.port}`]);
    const sentinels: number[] = [];
    while (sentinels.length < SENTINELS) {
      const port = await freePort();
      const file = path.join(folder, `sentinel-${port}.conf`);
      writeFileSync(file, sentinelSettings(port, first.port));
      await start([file, '--sentinel'], port);
      sentinels.push(port);
    }
    const [one = 0] = sentinels;
    const master = async () => {
      const reply = await sendRedisCommand(one, auth.sentinel, `SENTINEL get-master-addr-by-name ${MASTER}`);
      const port = Number(/\$\d+\r\n(\d+)\r\n\+OK\r\n$/.exec(reply)?.[1]);
      return [first, second].find((server) => server.port === port);
    };
    await until(async () => {
      const reply = await sendRedisCommand(one, auth.sentinel, `SENTINEL master ${MASTER}`);
      return (
        fieldOf(reply, 'num-slaves') === '1' && fieldOf(reply, 'num-other-sentinels') === `${SENTINELS - 1}`
      );
    });
    const hosts = sentinels.map((port) => `127.0.0.1:${port}`).join();
    return {
      url: `redis+sentinel://:${PASSWORD}@${hosts}/${MASTER}?sentinelPassword=${SENTINEL_PASSWORD}`,
      killMaster: async () => (await master())?.kill(),
      swap: async () => {
        await sendRedisCommand(one, auth.sentinel, `SENTINEL failover ${MASTER}`);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const sentinelSettings = (port: number, masterPort: number) =>
  [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${SENTINEL_PASSWORD}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass ${MASTER} ${PASSWORD}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} 10000`,
  ].join('\n');

/** Of a list of names and values on the wire. */
const fieldOf = (reply: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}\\r\\n\\$\\d+\\r\\n([^\\r]*)`).exec(reply)?.[1];

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the sentinels do not find each other');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
