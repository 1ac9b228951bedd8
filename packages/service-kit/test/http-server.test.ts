import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, test, vi } from 'vitest';
import { listen, markEventStream } from '../src/http/http-server.ts';

const EVENT_STREAM = ['Content-Type', 'text/event-stream'] as const;

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
  } finally {
    listening.mockRestore();
  }
});
