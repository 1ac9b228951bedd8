import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnTestRedis } from '../../src/redis/redis.ts';
import type { OwnTestRedis } from '../../src/redis/redis-server.ts';

let redis: OwnTestRedis;

beforeAll(async () => {
  redis = await startOwnTestRedis();
});
afterAll(() => redis.stop());

function say(...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(redis.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.end(`${lines.join('\r\n')}\r\nQUIT\r\n`),
    );
    let output = '';
    socket.on('data', (chunk) => {
      output += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(output));
  });
}

test('answers, is unavailable when killed, and is empty at the same address after a restart', async () => {
  expect(await say('SET a 1', 'GET a')).toContain('+OK\r\n$1\r\n1');
  await redis.kill();
  await expect(say('PING')).rejects.toThrow('ECONNREFUSED');
  await redis.restart();
  expect(await say('GET a')).toContain('$-1');
});
