import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { sameOrigin, startGateway } from './gateway-harness.ts';
import { sendRaw } from './raw-socket.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A gateway whose cases service is the given server, below `base` of its address. */
async function inFrontOf(server: net.Server, { base = '', env = {} } = {}) {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  const h = await startGateway({ env, upstreams: (made) => made.set('cases', { kind: 'remote', url }) });
  closers.push(() => h.stop());
  const { sid } = h.signIn();
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${sid}\r\nSec-Fetch-Site: same-origin\r\n`;
  return { h, sid, head, host: new URL(url).host, list: () => h.send('GET', '/api/saved-cases', { sid }) };
}

/** A service that answers every request with these bytes and keeps the connection. */
function answering(bytes: string): net.Server {
  return net.createServer((socket) => {
    let asked = '';
    socket.on('data', (piece) => {
      asked += piece;
      if (!asked.endsWith('\r\n\r\n')) return;
      asked = '';
      socket.write(bytes);
    });
  });
}

const JSON_HEAD = 'Content-Type: application/json\r\n';

describe('an answer', () => {
  test('to HEAD has the length and no body', async () => {
    const server = http.createServer((_req, res) => {
      res.setHeader('content-type', 'application/json').setHeader('content-length', '1234').end();
    });
    const { h, sid, list } = await inFrontOf(server);
    const answer = await h.send('HEAD', '/api/saved-cases', { sid });
    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, '1234', '']);
    server.removeAllListeners('request').on('request', (_req, res) => res.end('[]'));
    expect((await list()).text).toBe('[]');
  });

  test.each([204, 304])('of %i ends with its head', async (status) => {
    const { head, h } = await inFrontOf(answering(`HTTP/1.1 ${status} X\r\nETag: "7"\r\n\r\n`));
    const one = head('GET', '/api/saved-cases');
    const answers = await sendRaw(h.port, `${one}\r\n${one}Connection: close\r\n\r\n`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, `HTTP/1.1 ${status}`]);
    expect(answers.match(/etag: "7"/gi)).toHaveLength(2);
    expect(answers).toMatch(/\r\n\r\n$/);
    expect(answers).not.toMatch(/transfer-encoding/i);
  });

  test('that an interim one precedes is the only one passed on', async () => {
    const { list } = await inFrontOf(
      answering(
        `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n${JSON_HEAD}Content-Length: 2\r\n\r\n[]`,
      ),
    );
    const answer = await list();
    expect([answer.status, answer.text, answer.headers.link]).toEqual([200, '[]', undefined]);
  });

  test('in chunks comes whole, without its trailers and what belongs to the service’s connection', async () => {
    const { head, h } = await inFrontOf(
      answering(
        `HTTP/1.1 200 OK\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\nConnection: keep-alive, X-Hop\r\n` +
          'X-Hop: 1\r\nKeep-Alive: timeout=5\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\nX-Sum: 7\r\n\r\n',
      ),
    );
    const text = await sendRaw(h.port, `${head('GET', '/api/saved-cases')}Connection: close\r\n\r\n`);
    expect(text).toMatch(/\r\n\[[\r\n\d]*\]\r\n0\r\n\r\n$/);
    expect(text).not.toMatch(/x-hop|x-sum|trailer:|timeout=5/i);
  });

  test('to an old client ends with the connection', async () => {
    const { h, sid } = await inFrontOf(
      answering(`HTTP/1.1 200 OK\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`),
    );
    const text = await sendRaw(h.port, `GET /api/saved-cases HTTP/1.0\r\nCookie: sid=${sid}\r\n\r\n`);
    expect(text).toMatch(/ 200 OK[\s\S]*\r\n\r\n\[\]$/);
    expect(text).not.toMatch(/transfer-encoding/i);
  });

  test('of many megabytes waits in the service while its reader does not read, and arrives whole', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const pieces = 1_000;
    let written = 0;
    const server = http.createServer(async (_req, res) => {
      res.setHeader('content-length', piece.length * pieces);
      for (let n = 0; n < pieces; n += 1) {
        written += 1;
        if (!res.write(piece)) await once(res, 'drain');
      }
      res.end();
    });
    const { h, sid } = await inFrontOf(server);
    const request = http.get(`${h.url}/api/saved-cases`, { headers: { cookie: `sid=${sid}` } });
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    // The gateway answers other requests at the same time: a gateway that kept reading from the service would do so, too.
    const standsStill = async (before = -1): Promise<number> => {
      if (written === before) return written;
      const now = written;
      for (let n = 0; n < 20; n += 1) expect((await h.send('GET', '/api/auth/me', { sid })).status).toBe(200);
      return standsStill(now);
    };
    expect(await standsStill()).toBeLessThan(pieces / 2);
    let bytes = 0;
    for await (const chunk of answer) bytes += chunk.length;
    expect(bytes).toBe(piece.length * pieces);
  });

  test.each([
    ['is no HTTP', 'hello\r\n\r\n'],
    ['has two lengths', `HTTP/1.1 200 OK\r\n${JSON_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]x`],
    [
      'has a length and chunks',
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n`,
    ],
    ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('that %s is 503 UNAVAILABLE', async (_what, bytes) => {
    const { list } = await inFrontOf(answering(bytes));
    const answer = await list();
    expect([answer.status, answer.json().code]).toEqual([503, 'UNAVAILABLE']);
  });

  test('that stops half-way is broken off after the time the service has', async () => {
    const { list } = await inFrontOf(answering(`HTTP/1.1 200 OK\r\n${JSON_HEAD}Content-Length: 9\r\n\r\n[`), {
      env: { UPSTREAM_TIMEOUT_SECONDS: '1' },
    });
    await expect(list()).rejects.toThrow();
  });

  test('is canceled when its reader disconnects half-way', async () => {
    const left = Promise.withResolvers<void>();
    const server = http.createServer((_req, res) => {
      res.once('close', left.resolve);
      res.write('[');
    });
    const { h, sid } = await inFrontOf(server);
    const request = http.get(`${h.url}/api/saved-cases`, { headers: { cookie: `sid=${sid}` } });
    request.on('error', () => undefined);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.on('error', () => undefined);
    await once(answer, 'data');
    request.destroy();
    await left.promise;
  });
});

describe('a request', () => {
  const echo = () =>
    http.createServer(async (req, res) => {
      const pieces: Buffer[] = [];
      for await (const piece of req) pieces.push(piece);
      const { method, url, headers } = req;
      const body = Buffer.concat(pieces).toString();
      res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ method, url, host: headers.host, length: headers['content-length'], body }));
    });

  test('has the service’s own name, path and query, below the path that the service is at', async () => {
    const { h, sid, host } = await inFrontOf(echo(), { base: '/below/' });
    const answer = await h.send('GET', '/api/saved-cases?a=%20b&a', { sid });
    expect(answer.json()).toMatchObject({
      method: 'GET',
      url: '/below/api/saved-cases?a=%20b&a',
      host,
    });
  });

  test('is sent when its body is whole: half of one that is broken off reaches no service', async () => {
    const server = echo();
    let asked = 0;
    server.on('request', () => {
      asked += 1;
    });
    const { h, head } = await inFrontOf(server);
    const post = `${head('POST', '/api/case-status/bulk')}Content-Type: application/json\r\nContent-Length: 4\r\n`;
    const half = net.connect(h.port, '127.0.0.1');
    half.write(`${post}\r\n[1`);
    await expect.poll(() => h.resolved.length).toBe(1);
    half.destroy();
    await expect.poll(() => h.logs.some((line) => line.includes('"status":499'))).toBe(true);
    expect(asked).toBe(0);

    const whole = await sendRaw(h.port, `${post}Connection: close\r\n\r\n[12]`);
    expect(whole).toContain('"length":"4","body":"[12]"');
    expect(asked).toBe(1);
  });

  test('that waits for "100 Continue" gets it and is answered', async () => {
    const { h, head } = await inFrontOf(echo());
    const text = await sendRaw(
      h.port,
      `${head('POST', '/api/case-status/bulk')}Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n{}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(text).toContain('"body":"{}"');
  });

  test('of several on one connection is answered in its turn', async () => {
    const server = http.createServer((req, res) => {
      const wait = req.url?.endsWith('?slow') ? 100 : 0;
      setTimeout(() => res.end(JSON.stringify(req.url)), wait);
    });
    const { h, head } = await inFrontOf(server);
    const get = (query: string) => head('GET', `/api/saved-cases?${query}`);
    const text = await sendRaw(
      h.port,
      `${get('slow')}\r\n${get('quick')}\r\n${get('last')}Connection: close\r\n\r\n`,
    );
    expect(text.match(/\?\w+"/g)).toEqual(['?slow"', '?quick"', '?last"']);
  });

  test('on a connection that the service has closed is retried on another, also a write', async () => {
    const connections: net.Socket[] = [];
    const server = http.createServer((_req, res) =>
      res.setHeader('content-type', 'application/json').end('[]'),
    );
    server.on('connection', (socket) => connections.push(socket));
    const { h, sid, list } = await inFrontOf(server);
    expect((await list()).status).toBe(200);
    const [first] = connections;
    first?.end();
    await once(first ?? server, 'close');
    const write = await h.send('DELETE', '/api/saved-cases/EAC9999103403', { sid, headers: sameOrigin });
    expect([write.status, connections.length]).toEqual([200, 2]);
  });
});
