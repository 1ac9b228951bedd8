import { text } from 'node:stream/consumers';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { afterEach, expect, test } from 'vitest';
import { openStream, type StreamGateway, startStreamGateway } from './stream-harness.ts';

let gateway: StreamGateway;
afterEach(() => gateway.stop());

test('of many streams at once, a limited number a second are opened; the others are asked to retry one after another', async () => {
  gateway = await startStreamGateway('local', { env: { STREAM_OPENINGS_PER_SECOND: '2' } });
  const { h, opened } = gateway;
  const open = () => openStream(h);
  await open();
  await open();
  expect(opened).toHaveLength(2);
  const retries: number[] = [];
  for (let n = 0; n < 4; n++) {
    const { answer } = await open();
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    retries.push(Number(/^retry: (\d+)\n\n$/.exec(await text(answer))?.[1]));
  }
  expect(opened).toHaveLength(2);
  retries.forEach((retryMs, n) => {
    const placeMs = 1_000 + (n + 1) * 500;
    expect(retryMs).toBeGreaterThanOrEqual(placeMs);
    expect(retryMs).toBeLessThanOrEqual(placeMs + 1_000);
  });
  await h.clock.advance(1_000);
  await open();
  expect(opened).toHaveLength(3);
});

test('a stream that is rejected costs no lookup of its session', async () => {
  gateway = await startStreamGateway('local', { env: { STREAM_OPENINGS_PER_SECOND: '1' } });
  await openStream(gateway.h);
  const before = gateway.h.resolved.length;
  const { answer } = await openStream(gateway.h);
  expect(await text(answer)).toMatch(/^retry: /);
  expect(gateway.h.resolved.length).toBe(before);
});

test('a request without a session does not count as a stream that is opened', async () => {
  gateway = await startStreamGateway('local', { env: { STREAM_OPENINGS_PER_SECOND: '1' } });
  const { h, opened } = gateway;
  for (const _ of [1, 2]) expect((await h.send('GET', '/api/notifications/stream')).status).toBe(401);
  await openStream(h);
  expect(opened).toHaveLength(1);
});

test('a stream whose session can not be looked up is asked to come back, not refused; then it opens', async () => {
  let down = true;
  gateway = await startStreamGateway('local', {
    overrides: {
      resolveSession: async (sid) => {
        if (down) throw new AppError('UNAVAILABLE');
        return gateway.h.sessions.get(sid) ?? null;
      },
    },
  });
  const { sid, answer } = await openStream(gateway.h);
  expect([answer.statusCode, answer.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
  expect(await text(answer)).toMatch(/^retry: \d+\n\n$/);
  const list = await gateway.h.send('GET', '/api/notifications', { sid });
  expect(list.status).toBe(503);
  down = false;
  await openStream(gateway.h, { sid });
  expect(gateway.opened).toHaveLength(1);
});

test('a stream without a session is refused, whatever comes back', async () => {
  gateway = await startStreamGateway('local');
  const { answer } = await openStream(gateway.h, { sid: 'ended' });
  expect(answer.statusCode).toBe(401);
});
