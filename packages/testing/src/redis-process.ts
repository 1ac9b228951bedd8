import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@casewatch/platform/http/free-port';
import { spawnThatDiesWithUs } from './dies-with-us.ts';
import type { OwnTestRedis } from './redis.ts';
import { untilRedisAnswers } from './redis-ready.ts';

const HOST = '127.0.0.1';
const LAST_WORDS_LENGTH = 2_000;

/** A server from a binary of this machine, on a free loopback port, keeping nothing on disk. */
export async function startRedisProcess(binary: string): Promise<OwnTestRedis> {
  const port = await freePort();
  let server = await start();

  async function start() {
    const started = spawnServer(binary, port);
    await untilRedisAnswers(HOST, port, started.ended);
    return started;
  }
  async function kill(): Promise<void> {
    if (server.ended()) return;
    const gone = once(server.process, 'exit');
    server.process.kill('SIGKILL');
    await gone;
  }
  return {
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
  port: number,
): { process: ChildProcess; ended: () => Error | undefined } {
  const options = ['--port', `${port}`, '--bind', HOST, '--save', '', '--appendonly', 'no'];
  const child = spawnThatDiesWithUs(binary, options, { detached: true });
  let lastWords = '';
  const remember = (words: Buffer) => {
    lastWords = `${lastWords}${words}`.slice(-LAST_WORDS_LENGTH);
  };
  child.stdout.on('data', remember);
  child.stderr.on('data', remember);
  let end: Error | undefined;
  child.once('exit', (code, signal) => {
    end = new Error(`Redis ended (${signal ?? code}): ${lastWords}`);
  });
  return { process: child, ended: () => end };
}
