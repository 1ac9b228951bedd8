import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../free-port.ts';
import { spawnChild } from '../processes/child-process.ts';
import { type OwnTestRedis, waitForRedis } from './redis-server.ts';

const HOST = '127.0.0.1';
const LAST_WORDS_LENGTH = 2_000;

export interface RedisProcessOptions {
  /** A free one unless given. */
  port?: number;
  /** Command-line options besides the port; a settings file comes first. */
  words?: readonly string[];
}

/** Starts a server from a binary of this machine, on a loopback port, keeping nothing of what it is given on disk. */
export async function startRedisProcess(
  binary: string,
  options: RedisProcessOptions = {},
): Promise<OwnTestRedis & { readonly port: number }> {
  const port = options.port ?? (await freePort());
  const words = options.words ?? ['--save', '', '--appendonly', 'no'];
  let server = await start();

  async function start() {
    const started = spawnServer(binary, [...words, '--port', `${port}`, '--bind', HOST]);
    await waitForRedis(HOST, port, started.ended);
    return started;
  }
  async function kill(): Promise<void> {
    if (server.ended()) return;
    const exited = once(server.process, 'exit');
    server.process.kill('SIGKILL');
    await exited;
  }
  return {
    port,
    url: `redis://${HOST}:${port}`,
    stop: kill,
    kill,
    restart: async () => {
      await kill();
      server = await start();
    },
  };
}

function spawnServer(
  binary: string,
  words: readonly string[],
): { process: ChildProcess; ended: () => Error | undefined } {
  const child = spawnChild(binary, words, { detached: true });
  let lastWords = '';
  const remember = (words: Buffer) => {
    lastWords = `${lastWords}${words}`.slice(-LAST_WORDS_LENGTH);
  };
  child.stdout.on('data', remember);
  child.stderr.on('data', remember);
  let end: Error | undefined;
  child.once('exit', (code, signal) => {
    end = new Error(`Redis exited (${signal ?? code}): ${lastWords}`);
  });
  return { process: child, ended: () => end };
}
