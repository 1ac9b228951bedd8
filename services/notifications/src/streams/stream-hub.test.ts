import { Writable } from 'node:stream';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Store } from '../domain/store.ts';
import { createStreamHub } from './stream-hub.ts';

const NOTIFICATION = {
  id: '01940000-0000-7000-8000-000000000001',
  userId: 'ada',
  kind: 'status' as const,
  receiptNumber: 'EAC9999103403',
  oldStatus: null,
  newStatus: 'Case Was Approved',
  createdAt: '2026-01-05T12:00:00.000Z',
  read: false,
};
const FROM_NOW = { seq: 0, reset: false };

function createHub(
  newerThan: Store['newerThan'] = async () => [],
  lastSeq: Store['lastSeq'] = async () => 0,
) {
  const clock = createManualClock();
  const hub = createStreamHub({
    store: { lastSeq, newerThan },
    clock,
    logger: pino({ level: 'silent' }),
    maxLifeMs: 60_000,
    heartbeatMs: 20_000,
    maxPerUser: 6,
    maxStreams: 100,
  });
  const pass = async (ms: number) => {
    await clock.advance(ms);
    hub.maintain();
  };
  return { hub, pass };
}

/** A connection whose other end takes nothing. */
const deadReader = () => new Writable({ write: () => undefined });
const goodReader = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const closed = (out: Writable) => new Promise((resolve) => out.once('close', resolve));

test('a reader that does not take the end of its stream is cut off after five seconds', async () => {
  const { hub, pass } = createHub();
  const out = deadReader();
  hub.add('ada', FROM_NOW, out);
  await pass(60_000);
  await pass(4_999);
  expect([out.writableEnded, out.destroyed, hub.size()]).toEqual([true, false, 1]);
  const over = closed(out);
  await pass(1);
  await over;
  expect(hub.size()).toBe(0);
});

test('a reader that leaves is forgotten, also when it left before its stream began', async () => {
  const { hub } = createHub();
  const out = goodReader();
  hub.add('ada', FROM_NOW, out);
  expect(hub.size()).toBe(1);
  const over = closed(out);
  out.destroy();
  await over;
  expect(hub.size()).toBe(0);
  hub.add('ada', FROM_NOW, out);
  expect(hub.size()).toBe(0);
});

test('while the database is unavailable, the query is retried every second', async () => {
  const answers = [
    () => Promise.reject(new Error('unavailable')),
    async () => [{ seq: 1, notification: NOTIFICATION }],
  ];
  const { hub, pass } = createHub(() => answers.shift()?.() ?? Promise.resolve([]));
  const pieces: string[] = [];
  const out = new Writable({
    decodeStrings: false,
    write: (piece: string, _encoding, done) => {
      pieces.push(piece);
      done();
    },
  });
  hub.add('ada', FROM_NOW, out);
  await pass(1_000);
  await pass(1_000);
  expect(pieces.at(-1)).toBe(`event: notification\nid: 1\ndata: ${JSON.stringify(NOTIFICATION)}\n\n`);
});

test('a stream that begins while the database is unavailable is asked to come back, a deleted user’s is refused', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const seqs = [() => Promise.reject(refused), async () => 7, async () => undefined];
  const { hub } = createHub(undefined, () => seqs.shift()?.() ?? Promise.reject(new TypeError('a defect')));
  expect(await hub.admit('ada', undefined)).toBeUndefined();
  expect(await hub.admit('ada', undefined)).toEqual({ seq: 7, reset: false });
  await expect(hub.admit('ada', undefined)).rejects.toThrow(AppError);
  await expect(hub.admit('ada', undefined)).rejects.toThrow('a defect');
});

test('a reader that fails is forgotten', async () => {
  const { hub } = createHub();
  const out = goodReader();
  hub.add('ada', FROM_NOW, out);
  const over = closed(out);
  out.destroy(new Error('connection reset'));
  await over;
  expect(hub.size()).toBe(0);
});

test('a hub that has stopped has ended its streams and takes no more', async () => {
  const { hub } = createHub();
  const [early, late] = [goodReader(), goodReader()];
  hub.add('ada', FROM_NOW, early);
  await hub.stop();
  hub.add('ada', FROM_NOW, late);
  expect([early.writableEnded, late.writableEnded]).toEqual([true, true]);
  expect(await hub.admit('ada', undefined)).toBeUndefined();
});

test('a slow reader of a hub that has stopped may still take the rest: no heartbeat comes after the end', async () => {
  const { hub, pass } = createHub();
  const out = deadReader();
  hub.add('ada', FROM_NOW, out);
  await hub.stop();
  await pass(25_000);
  expect([out.writableEnded, out.destroyed]).toEqual([true, false]);
});
