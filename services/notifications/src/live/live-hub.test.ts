import { Writable } from 'node:stream';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Store } from '../domain/store.ts';
import { LiveHub } from './live-hub.ts';

const NOTIFICATION = {
  id: '01940000-0000-7000-8000-000000000001',
  userId: 'ada',
  kind: 'status' as const,
  receiptNumber: 'EAC9999103403',
  oldStatus: null,
  newStatus: 'Case Was Approved',
  needsAction: false,
  createdAt: '2026-01-05T12:00:00.000Z',
  read: false,
  order: '1',
};
const FROM_NOW = { seq: 0, reset: false };

function createHub(
  newerThan: Store['newerThan'] = async () => [],
  lastSeq: Store['lastSeq'] = async () => 0,
  logger = pino({ level: 'silent' }),
) {
  const clock = createManualClock();
  const hub = new LiveHub({
    store: { lastSeq, newerThan },
    clock,
    logger,
    maxLifeMs: 60_000,
    heartbeatMs: 20_000,
    maxPerUser: 6,
    maxStreams: 100,
  });
  const pass = async (ms: number) => {
    await clock.advance(ms);
    hub.maintain();
  };
  return { hub, pass, clock };
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

/** A reader that takes everything, and what it got. */
function createReader() {
  const pieces: string[] = [];
  const out = new Writable({
    decodeStrings: false,
    write: (piece: string, _encoding, done) => {
      pieces.push(piece);
      done();
    },
  });
  return { out, pieces, isOpen: () => !out.writableEnded, retryMs: () => Number(pieces[0]?.slice(7)) };
}
const item = (seq: number, userId = 'ada') => ({ seq, notification: { ...NOTIFICATION, userId } });
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('each stream of a user gets what is newer than its own position, also when another one is just being served', async () => {
  const asked: [string, number][][] = [];
  const { hub } = createHub(async (followers) => {
    asked.push([...followers]);
    const after = followers.get('ada') ?? 0;
    return [item(4), item(5), item(6)].filter(({ seq }) => seq > after);
  });
  const [behind, ahead] = [createReader(), createReader()];
  hub.add('ada', { seq: 5, reset: false }, ahead.out);
  hub.add('ada', { seq: 3, reset: true }, behind.out);
  await settle();
  const idsOf = ({ pieces }: typeof ahead) =>
    [...pieces.join('').matchAll(/event: (\w+)\nid: (\d+)/g)].map(([, event, id]) => `${event} ${id}`);
  expect(idsOf(ahead)).toEqual(['ready 5', 'notification 6']);
  expect(idsOf(behind)).toEqual(['reset 3', 'notification 4', 'notification 5', 'notification 6']);
  expect(asked).toEqual([[['ada', 5]], [['ada', 3]]]);
  await hub.fetchFor('ada');
  expect(asked.at(-1)).toEqual([['ada', 6]]);
  expect(idsOf(ahead)).toHaveLength(2);
});

test('of users without a stream here nothing is fetched', async () => {
  const asked: number[] = [];
  const { hub } = createHub(async (followers) => {
    asked.push(followers.size);
    return [];
  });
  await hub.fetchFor('bob');
  expect([asked, hub.has('bob')]).toEqual([[], false]);
  const { out } = createReader();
  hub.add('ada', FROM_NOW, out);
  expect(hub.has('ada')).toBe(true);
  await settle();
  expect(asked).toEqual([1]);
});

test('what is new for very many is fetched in portions of 500 users', async () => {
  const asked: number[] = [];
  const { hub } = createHub(async (followers) => {
    asked.push(followers.size);
    return [];
  });
  for (let nth = 0; nth < 501; nth++) hub.add(`user ${nth}`, FROM_NOW, goodReader());
  await settle();
  asked.length = 0;
  hub.fetchForAll();
  await settle();
  expect(asked).toEqual([500, 1]);
});

test.each([
  ['a notification', (hub: ReturnType<typeof createHub>['hub']) => hub.fetchFor('ada')],
  ['a change of the saved cases', (hub: ReturnType<typeof createHub>['hub']) => hub.casesChanged('ada')],
])('a heartbeat comes 20 seconds after the last word, also after %s', async (_what, say) => {
  const answers = [[], [item(1)]];
  const { hub, pass } = createHub(async () => answers.shift() ?? []);
  const { out, pieces } = createReader();
  hub.add('ada', FROM_NOW, out);
  const beats = () => pieces.filter((piece) => piece === ':\n\n').length;
  await pass(10_000);
  await say(hub);
  await pass(19_999);
  expect(beats()).toBe(0);
  await pass(1);
  expect(beats()).toBe(1);
  await pass(19_999);
  expect(beats()).toBe(1);
});

test('a clock that is set back stops neither the heartbeats of a stream nor its end', async () => {
  const { hub, pass, clock } = createHub();
  const [reading, dead] = [createReader(), deadReader()];
  hub.add('ada', FROM_NOW, reading.out);
  hub.add('ada', FROM_NOW, dead);
  const setBack = async () => {
    await clock.jump(-3_600_000);
    await pass(0);
  };
  await setBack();
  await pass(20_000);
  expect(reading.pieces.at(-1)).toBe(':\n\n');
  await setBack();
  await pass(40_000);
  expect([reading.isOpen(), dead.writableEnded]).toEqual([false, true]);
  const over = closed(dead);
  await setBack();
  await pass(5_000);
  await over;
});

test('browsers that lose their server come back after one to four seconds, those of a full one after 15 to 30', () => {
  const { hub } = createHub();
  const lost = Array.from({ length: 100 }, () => {
    const reader = createReader();
    hub.add(crypto.randomUUID(), FROM_NOW, reader.out);
    return reader.retryMs();
  });
  const refused = Array.from({ length: 100 }, () => {
    const reader = createReader();
    hub.reject(reader.out);
    expect(reader.isOpen()).toBe(false);
    return reader.retryMs();
  });
  const spreadOf = (waits: readonly number[], least: number, most: number) => {
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...waits)).toBeLessThanOrEqual(most);
    return Math.max(...waits) - Math.min(...waits);
  };
  expect(spreadOf(lost, 1_000, 4_000)).toBeGreaterThan(1_500);
  expect(spreadOf(refused, 15_000, 30_000)).toBeGreaterThan(7_500);
});

test('a stop waits for the query in progress, whose answer goes nowhere, and begins no other', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof item>[]>();
  let asked = 0;
  const { hub } = createHub(() => {
    asked++;
    return answer.promise;
  });
  const { out, pieces } = createReader();
  hub.add('ada', FROM_NOW, out);
  hub.add('bob', FROM_NOW, goodReader());
  let hasStopped = false;
  const stopped = hub.stop().then(() => {
    hasStopped = true;
  });
  await settle();
  expect(hasStopped).toBe(false);
  answer.resolve([item(1)]);
  await stopped;
  expect(asked).toBe(1);
  expect(pieces.join('')).not.toContain('event: notification');
});

test('an outage is logged as one: of the database for a new stream, and of a query that is retried', async () => {
  const logged: { level: number; msg: string; users?: number }[] = [];
  const unavailable = () => Promise.reject(Object.assign(new Error('no database'), { code: 'ECONNREFUSED' }));
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const { hub } = createHub(unavailable, unavailable, logger);
  expect(await hub.admit('ada', undefined)).toBeUndefined();
  hub.add('ada', FROM_NOW, goodReader());
  await settle();
  expect(logged).toMatchObject([
    { level: 40, msg: 'stream hub: database unavailable, streams are asked to come back later' },
    { level: 40, msg: 'stream hub: notifications not fetched, will retry', users: 1 },
  ]);
});
