import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, test, vi } from 'vitest';
import { listen, markEventStream } from '../src/http/http-server.ts';

const EVENT_STREAM = ['Content-Type', 'text/event-stream'] as const;

test('a server on `::` is reached over IPv4 and IPv6, and says where it is', async () => {
  const server = await listen((_req, res) => res.end('here'), { host: '::', port: 0 });
  for (const origin of [`http://127.0.0.1:${server.port}`, `http://[::1]:${server.port}`, server.url]) {
    expect(await (await fetch(origin)).text()).toBe('here');
  }
  await server.drain(0);
});

test.each([
  {
    head: 'set header by header',
    begin: (res: http.ServerResponse) => {
      res.setHeader(...EVENT_STREAM);
    },
  },
  {
    head: 'written in one call',
    begin: (res: http.ServerResponse) => {
      res.writeHead(200, [...EVENT_STREAM]);
      markEventStream(res);
    },
  },
])('a server that drains ends its event streams one by one, every one of them ($head)', async ({ begin }) => {
  const server = await listen(
    (_req, res) => {
      begin(res);
      res.flushHeaders();
    },
    { host: '127.0.0.1', port: 0 },
  );
  const streams = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const request = http.get(server.url, { agent: new http.Agent() });
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      return answer.resume();
    }),
  );
  const ends = Promise.all(
    streams.map(async (answer) => {
      await once(answer, 'close');
      return { atMs: performance.now(), complete: answer.complete };
    }),
  );
  await server.drain(10_000, 500);
  const ended = await ends;
  expect(ended.filter(({ complete }) => !complete)).toEqual([]);
  const times = ended.map(({ atMs }) => atMs);
  // All but certain at random: sixteen of them do not end within a fifth of the time.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(100);
});

test('thousands of connections may wait to be accepted, so that none is dropped after a restart', async () => {
  const listening = vi.spyOn(net.Server.prototype, 'listen');
  try {
    const server = await listen((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    await server.drain();
    expect(listening.mock.calls[0]?.[0]).toMatchObject({ host: '127.0.0.1', port: 0, backlog: 4_096 });
    // How long a client may take for its headers and its request, and stay idle.
    expect(listening.mock.contexts[0]).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    });
  } finally {
    listening.mockRestore();
  }
});

test('a server that leaves closes connections with their next answers, also with one that it has begun to make', async () => {
  const begun = Promise.withResolvers<http.ServerResponse>();
  const server = await listen(
    (req, res) => {
      if (req.url === '/slow') begun.resolve(res);
      else res.end();
    },
    { host: '127.0.0.1', port: 0 },
  );
  const agent = new http.Agent({ keepAlive: true });
  const get = async (path: string) => {
    const [answer] = (await once(http.get(server.url + path, { agent }), 'response')) as [
      http.IncomingMessage,
    ];
    answer.resume();
    await once(answer, 'end');
    return answer.headers.connection;
  };
  expect(await get('/')).toBe('keep-alive');
  const slow = get('/slow');
  const answer = await begun.promise;
  server.leave();
  expect(await get('/')).toBe('close');
  answer.end();
  expect(await slow).toBe('close');
  agent.destroy();
  await server.drain();
});

test('a server that drains waits for requests that take their time, and cuts off what takes longer than it may', async () => {
  const answers: http.ServerResponse[] = [];
  const server = await listen((_req, res) => void answers.push(res), { host: '127.0.0.1', port: 0 });
  const agent = new http.Agent({ keepAlive: true });
  const ask = () => once(http.get(server.url, { agent }), 'response') as Promise<[http.IncomingMessage]>;
  const [prompt, hanging] = [ask(), ask()];
  await expect.poll(() => answers).toHaveLength(2);
  const startedMs = performance.now();
  const drained = server.drain(300);
  answers[0]?.end('done');
  const [first] = await prompt;
  expect([first.statusCode, first.headers.connection]).toEqual([200, 'close']);
  await Promise.all([expect(hanging).rejects.toThrow('socket hang up'), drained]);
  expect(performance.now() - startedMs).toBeGreaterThan(290);
  agent.destroy();
});

test('an idle connection does not keep a server from draining', async () => {
  const server = await listen((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
  const agent = new http.Agent({ keepAlive: true });
  const [answer] = (await once(http.get(server.url, { agent }), 'response')) as [http.IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  await server.drain(60_000);
  agent.destroy();
});

test('a port that is taken is reported', async () => {
  const server = await listen((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
  await expect(listen(() => undefined, { host: '127.0.0.1', port: server.port })).rejects.toThrow(
    'EADDRINUSE',
  );
  await server.drain();
});
