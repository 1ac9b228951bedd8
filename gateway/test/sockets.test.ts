import { once } from 'node:events';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, KINDS, startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

describe.each(KINDS)('at the socket, with %s services', (kind) => {
  let h: Harness;
  let head: (method: string, path: string) => string;
  beforeAll(async () => {
    h = await startGateway({ kind });
    const { sid } = h.signIn();
    head = (method, path) =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${sid}\r\nSec-Fetch-Site: same-origin\r\n`;
  });
  afterAll(() => h.stop());
  beforeEach(() => {
    h.received.length = 0;
  });

  const smuggled = 'GET /api/saved-cases HTTP/1.1\r\nHost: localhost\r\n\r\n';

  async function refusedAndClosed(bytes: string, status = 400) {
    const answers = await sendRaw(h.port, bytes);
    expect(answers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answers).toMatch(/connection: close/i);
    expect(h.received).toEqual([]);
  }

  test('a message with both Content-Length and Transfer-Encoding is 400 and the end', () =>
    refusedAndClosed(
      `${head('POST', '/api/case-status/bulk')}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ));

  test('a chunked DELETE with another request in its body is 400 and the end', () =>
    refusedAndClosed(
      `${head('DELETE', '/api/saved-cases/EAC9999103403')}Transfer-Encoding: chunked\r\n\r\n` +
        `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    ));

  test('a chunked body of any kind is 400 and the end', () =>
    refusedAndClosed(
      `${head('POST', '/api/case-status/bulk')}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ));

  test('a chunked body of a probe is 400 and the end', () =>
    refusedAndClosed(
      `GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ));

  test.each(['xchunked', 'chunked, identity', 'gzip', ' \tchunked', 'chunked\r\nTransfer-Encoding: x'])(
    'Transfer-Encoding %j is 400 and the end',
    (value) =>
      refusedAndClosed(
        `${head('POST', '/api/case-status/bulk')}Transfer-Encoding: ${value}\r\n\r\n0\r\n\r\n${smuggled}`,
      ),
  );

  test('lines that end in a bare LF are 400 and the end', () =>
    refusedAndClosed('GET /api/saved-cases HTTP/1.1\nHost: localhost\n\n'));

  test('a header line that ends in a bare LF is 400 and the end', () =>
    refusedAndClosed(`GET /api/saved-cases HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n`));

  test.each(['4\r\nContent-Length: 5', '+4', '4, 5', '0x4', '-1'])(
    'Content-Length %j is 400 and the end',
    (value) =>
      refusedAndClosed(`${head('POST', '/api/case-status/bulk')}Content-Length: ${value}\r\n\r\n{}aa`),
  );

  test('a space before the colon of a header is 400 and the end', () =>
    refusedAndClosed(`${head('GET', '/api/saved-cases')}Content-Length : 3\r\n\r\nabc`));

  test('headers above 16 kB are 431 and the end', () =>
    refusedAndClosed(`${head('GET', '/api/saved-cases')}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431));

  test('a request without Host is 400 and the end', () =>
    refusedAndClosed('GET /api/saved-cases HTTP/1.1\r\n\r\n'));

  test('a body on a DELETE with its length stays a body', async () => {
    const answers = await sendRaw(
      h.port,
      `${head('DELETE', '/api/saved-cases/EAC9999103403')}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}` +
        `${head('GET', '/api/saved-cases')}Connection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 200']);
    expect(h.received.map(({ method }) => method)).toEqual(['DELETE', 'GET']);
  });

  test('an upgrade is not passed on', async () => {
    const answers = await sendRaw(
      h.port,
      `${head('GET', '/api/saved-cases')}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(answers).toMatch(/^HTTP\/1\.1 200 /);
    expect(h.received[0]?.headers).not.toHaveProperty('upgrade');
  });

  test('an absolute request target is answered like its path or refused, never sent to another host', async () => {
    const answers = await sendRaw(
      h.port,
      `${head('GET', 'http://evil.test/api/saved-cases')}Connection: close\r\n\r\n`,
    );
    expect(answers).toMatch(/^HTTP\/1\.1 404 /);
    expect(h.received).toEqual([]);
  });
});

test('five hundred slow clients do not delay other requests', async () => {
  const start = () => startGateway({ env: { RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '100000' } });
  const [crowded, quiet] = [await start(), await start()];
  const slow = Array.from({ length: 500 }, (_, n) => {
    const socket = net.connect(crowded.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      n % 2
        ? 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow:'
        : 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    );
    return socket;
  });
  await Promise.all(slow.map((socket) => once(socket, 'connect')));

  // In turn, so that what else the machine does slows both.
  const gateways = [crowded, quiet].map((gateway) => {
    const { sid } = gateway.signIn();
    return { times: [] as number[], send: () => gateway.send('GET', '/api/saved-cases', { sid }) };
  });
  for (let n = 0; n < 200; n += 1) {
    for (const { times, send } of gateways) {
      const startedAt = performance.now();
      expect((await send()).status).toBe(200);
      if (n >= 100) times.push(performance.now() - startedAt);
    }
  }
  for (const socket of slow) socket.destroy();
  const [during = 0, without = 0] = gateways.map(({ times }) => times.sort((a, b) => a - b)[50]);
  expect(during).toBeLessThan(without * 3 + 5);
  await Promise.all([crowded.stop(), quiet.stop()]);
});
