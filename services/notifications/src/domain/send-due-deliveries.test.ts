import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DeliveryLog, DueDelivery } from './delivery-log.ts';
import { type Outcome, type Prepared, type Sending, sendDueDeliveries } from './send-due-deliveries.ts';

const LEASE_MS = 60_000;
/** With the time that settling takes, half of the lease. */
const SEND_MAX_MS = 25_000;
const GIVE_UP_MS = 3_600_000;
const NOW = createManualClock().nowMs();
const DAY_MS = 86_400_000;
const due = (id: string, more: Partial<DueDelivery> = {}): DueDelivery => ({
  id,
  queuedAtMs: NOW,
  attempts: 1,
  ...more,
});

interface World {
  due: readonly DueDelivery[];
  prepare?: (due: readonly DueDelivery[]) => Partial<Prepared<DueDelivery, string>>;
  send?: (message: string, signal: AbortSignal) => Outcome | Promise<Outcome>;
  atOnce?: number;
}

/** A delivery log in memory: `settled` is what became of each message, in order, `counted` what was counted of it. */
function createWorld({ due: waiting, prepare, send = () => ({ kind: 'sent' }), atOnce = 1 }: World) {
  const clock = createManualClock();
  const settled: unknown[][] = [];
  const counted: [string, number][] = [];
  const logged: { level: number; msg: string }[] = [];
  /** Takes its time, as a database does. */
  const settle = async (...what: unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    settled.push(what);
  };
  const log: DeliveryLog<DueDelivery> = {
    claim: async ({ nowMs, leaseMs, limit }) => ({
      leaseUntilMs: nowMs + leaseMs,
      due: waiting.slice(0, limit),
    }),
    markSent: (_claim, id, nowMs) => settle('sent', id, nowMs - NOW),
    giveUp: (_claim, ids, reason) => settle('failed', ids, reason),
    skip: (_claim, ids, reason) => settle('skipped', ids, reason),
    defer: (_claim, id, { nextMs, reason }) => settle('deferred', id, nextMs - NOW, reason),
    postpone: (_claim, ids, { untilMs, nextMs, reason }) =>
      settle('postponed', ids, untilMs - NOW, nextMs - NOW, ...(reason === undefined ? [] : [reason])),
    release: async (_claim, ids, nowMs) => {
      if (ids.length > 0) await settle('released', ids, nowMs - NOW);
    },
  };
  const stopping = new AbortController();
  const abandon = new AbortController();
  const sending: Sending<DueDelivery, string> = {
    name: 'send tests',
    kind: {
      log,
      prepare: async (fresh) => ({
        ready: fresh.map((one) => ({ due: one, message: one.id })),
        dropped: [],
        ...prepare?.(fresh),
      }),
    },
    sender: { send: async (message, signal) => send(message, signal), close: async () => undefined },
    clock,
    logger: pino({}, { write: (line) => logged.push(JSON.parse(line)) }),
    count: (result, messages) => counted.push([result, messages]),
    leaseMs: LEASE_MS,
    sendMaxMs: SEND_MAX_MS,
    giveUpMs: GIVE_UP_MS,
    atOnce,
    random: () => 0.5,
  };
  const pass = (limit = 50) =>
    sendDueDeliveries(sending, limit, { stopping: stopping.signal, abandon: abandon.signal });
  return { pass, clock, settled, counted, logged, stopping, abandon };
}

test('each message is settled and counted by what came of it before the pass ends', async () => {
  const outcomes: Record<string, Outcome> = {
    a: { kind: 'sent' },
    b: { kind: 'refused', reason: 'no-such-recipient' },
    c: { kind: 'deferred', reason: 'busy' },
    d: { kind: 'deferred', reason: 'asked', retryAfterMs: 500_000 },
  };
  const { pass, settled, counted, logged } = createWorld({
    due: [due('a'), due('b'), due('c', { attempts: 2 }), due('d')],
    send: (message) => outcomes[message] ?? { kind: 'sent' },
  });
  expect(await pass()).toEqual({ claimed: 4, unavailable: undefined });
  expect(settled).toEqual([
    ['sent', 'a', 0],
    ['failed', ['b'], 'no-such-recipient'],
    ['deferred', 'c', 60_000, 'busy'],
    ['deferred', 'd', 500_000, 'asked'],
  ]);
  expect(counted).toEqual([
    ['sent', 1],
    ['failed', 1],
    ['retried', 1],
    ['retried', 1],
  ]);
  expect(logged).toMatchObject([
    { level: 40, delivery: 'b', attempts: 1, reason: 'no-such-recipient', msg: 'send tests: not sent' },
    { delivery: 'c', attempts: 2, reason: 'busy' },
    { delivery: 'd' },
  ]);
});

test('a message that fails is abandoned when it is older than allowed, and tried up to then', async () => {
  const { pass, settled, counted } = createWorld({
    due: [
      due('older', { queuedAtMs: NOW - GIVE_UP_MS - 1 }),
      due('as old', { queuedAtMs: NOW - GIVE_UP_MS }),
    ],
    send: () => ({ kind: 'deferred', reason: 'busy' }),
  });
  expect(await pass()).toEqual({ claimed: 2, unavailable: undefined });
  expect(settled).toEqual([
    ['failed', ['older'], 'expired'],
    ['deferred', 'as old', 30_000, 'busy'],
  ]);
  expect(counted).toEqual([
    ['failed', 1],
    ['retried', 1],
  ]);
});

test('an outage abandons no message, however long it lasts: what could not be sent is sent after it', async () => {
  const old = ['a', 'b'].map((id) => due(id, { queuedAtMs: 0 }));
  const isUnavailable: Outcome = { kind: 'unavailable', reason: 'esocket' };
  const ofServer = createWorld({ due: old, send: () => isUnavailable });
  await ofServer.pass();
  expect(ofServer.settled.map(([what]) => what)).toEqual(['deferred', 'released']);
  const ofService = createWorld({ due: old, prepare: () => ({ ready: [], unavailable: 'identity' }) });
  await ofService.pass();
  expect(ofService.settled).toEqual([['released', ['a', 'b'], 0]]);
  const after = createWorld({ due: old });
  await after.pass();
  expect(after.settled.map(([what]) => what)).toEqual(['sent', 'sent']);
});

test('without messages nothing is asked', async () => {
  const { pass } = createWorld({
    due: [],
    prepare: () => {
      throw new Error('asked');
    },
  });
  expect(await pass()).toEqual({ claimed: 0, unavailable: undefined });
});

test('what is not to be sent is skipped by reason and postponed by time; the rest is sent', async () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => due(id));
  const [a, b, c, d, e, f, g] = all as [
    DueDelivery,
    DueDelivery,
    DueDelivery,
    DueDelivery,
    DueDelivery,
    DueDelivery,
    DueDelivery,
  ];
  const { pass, settled, counted } = createWorld({
    due: all,
    prepare: () => ({
      ready: [{ due: f, message: 'f' }],
      dropped: [
        { due: a, reason: 'opted-out' },
        { due: b, reason: 'no-account' },
        { due: c, reason: 'opted-out' },
      ],
      postponed: [
        { due: d, untilMs: NOW + 1_000 },
        { due: e, untilMs: NOW + 90 * DAY_MS },
        { due: g, untilMs: NOW + 1_000, reason: 'removed' },
      ],
    }),
  });
  await pass();
  expect(settled).toEqual([
    ['skipped', ['a', 'c'], 'opted-out'],
    ['skipped', ['b'], 'no-account'],
    ['postponed', ['d'], 1_000, 1_000],
    // Looked at again within an hour: what it waits for may end earlier.
    ['postponed', ['e'], 90 * DAY_MS, 3_600_000],
    ['postponed', ['g'], 1_000, 1_000, 'removed'],
    ['sent', 'f', 0],
  ]);
  expect(counted).toEqual([
    ['skipped', 2],
    ['skipped', 1],
    ['sent', 1],
  ]);
});

test('a message that can not be prepared is tried again later and logged, and the others of its claim are sent', async () => {
  const all = ['a', 'b', 'bad', 'c', 'd'].map((id) => due(id, { attempts: id === 'bad' ? 7 : 1 }));
  const { pass, settled, counted, logged } = createWorld({
    due: all,
    prepare: (fresh) => {
      if (fresh.some(({ id }) => id === 'bad')) throw new RangeError('a defect');
      const [first, ...others] = fresh;
      const ready = others.map((one) => ({ due: one, message: one.id }));
      if (first?.id === 'a') return { ready, dropped: [{ due: first, reason: 'opted-out' }] };
      return first ? { ready, postponed: [{ due: first, untilMs: NOW + 1_000 }] } : {};
    },
  });
  expect(await pass()).toEqual({ claimed: 5, unavailable: undefined });
  expect(settled).toEqual([
    ['skipped', ['a'], 'opted-out'],
    ['deferred', 'bad', 1_920_000, 'prepare-failed'],
    ['postponed', ['c'], 1_000, 1_000],
    ['sent', 'b', 0],
    ['sent', 'd', 0],
  ]);
  expect(counted).toContainEqual(['retried', 1]);
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 50,
      msg: 'send tests: message not prepared, will retry',
      delivery: 'bad',
      err: expect.objectContaining({ type: 'RangeError' }),
    }),
  );
});

test('one that can not be prepared keeps nothing from being released while a service is unavailable', async () => {
  const { pass, settled } = createWorld({
    due: ['bad', 'a', 'b'].map((id) => due(id)),
    prepare: (fresh) => {
      if (fresh.some(({ id }) => id === 'bad')) throw new RangeError('a defect');
      return { ready: [], unavailable: 'identity' };
    },
  });
  expect(await pass()).toEqual({ claimed: 3, unavailable: 'identity' });
  expect(settled).toEqual([
    ['deferred', 'bad', 30_000, 'prepare-failed'],
    ['released', ['a', 'b'], 0],
  ]);
});

test('while the database is unavailable a pass fails as a whole, and is not tried message by message', async () => {
  let prepared = 0;
  const { pass } = createWorld({
    due: ['a', 'b'].map((id) => due(id)),
    prepare: () => {
      prepared++;
      throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });
    },
  });
  await expect(pass()).rejects.toThrow('no database');
  expect(prepared).toBe(1);
});

test('while a service without which none can be written is unavailable, those that are not settled are released', async () => {
  const all = [due('a'), due('b'), due('c')];
  const [a, b] = all as [DueDelivery, DueDelivery];
  const { pass, settled, counted } = createWorld({
    due: all,
    prepare: () => ({
      ready: [],
      dropped: [{ due: a, reason: 'opted-out' }],
      postponed: [{ due: b, untilMs: NOW + 1_000 }],
      unavailable: 'identity',
    }),
  });
  expect(await pass()).toEqual({ claimed: 3, unavailable: 'identity' });
  expect(settled.slice(2)).toEqual([['released', ['c'], 0]]);
  expect(counted).toEqual([['skipped', 1]]);
});

test('when the server turns out to be unavailable nothing else is begun, and what waits is released', async () => {
  const begun: string[] = [];
  const { pass, settled, counted } = createWorld({
    due: ['a', 'b', 'c', 'd'].map((id) => due(id, { attempts: 10 })),
    atOnce: 2,
    send: (message) => {
      begun.push(message);
      return { kind: 'unavailable', reason: 'esocket' };
    },
  });
  expect(await pass()).toEqual({ claimed: 4, unavailable: 'esocket' });
  expect(begun).toEqual(['a', 'b']);
  expect(settled).toEqual([
    ['deferred', 'a', 300_000, 'esocket'],
    ['deferred', 'b', 300_000, 'esocket'],
    ['released', ['c', 'd'], 0],
  ]);
  expect(counted).toEqual([
    ['unavailable', 1],
    ['unavailable', 1],
  ]);
});

test('as many are sent in parallel as allowed, and no more', async () => {
  let [atOnce, most] = [0, 0];
  const { pass, settled } = createWorld({
    due: ['a', 'b', 'c', 'd', 'e'].map((id) => due(id)),
    atOnce: 3,
    send: async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce--;
      return { kind: 'sent' };
    },
  });
  await pass();
  expect([most, settled.length]).toEqual([3, 5]);
});

test('none is begun that the lease might not cover, so that no other process sends the same', async () => {
  const settledWhenEachTakes = async (ms: number) => {
    const { pass, clock, settled } = createWorld({
      due: [due('a'), due('b')],
      send: async () => {
        await clock.advance(ms);
        return { kind: 'sent' };
      },
    });
    expect(await pass()).toEqual({ claimed: 2, unavailable: undefined });
    return settled.map(([what, ids]) => [what, ids]);
  };
  expect(await settledWhenEachTakes(LEASE_MS / 2 - 1)).toEqual([
    ['sent', 'a'],
    ['sent', 'b'],
  ]);
  expect(await settledWhenEachTakes(LEASE_MS / 2)).toEqual([
    ['sent', 'a'],
    ['released', ['b']],
  ]);
});

test('a stop lets the message in progress end and begins no other', async () => {
  const { pass, settled, stopping } = createWorld({
    due: [due('a'), due('b')],
    send: () => {
      stopping.abort();
      return { kind: 'sent' };
    },
  });
  expect(await pass()).toEqual({ claimed: 2, unavailable: undefined });
  expect(settled.map(([what, ids]) => [what, ids])).toEqual([
    ['sent', 'a'],
    ['released', ['b']],
  ]);
});

test('a message that is abandoned by a stop counts no attempt: it is released, not deferred', async () => {
  const { pass, settled, counted, stopping, abandon } = createWorld({
    due: [due('a'), due('b')],
    send: (_message, signal) => {
      stopping.abort();
      abandon.abort();
      return { kind: 'unavailable', reason: signal.aborted ? 'stopping' : 'not abandoned' };
    },
  });
  expect(await pass()).toEqual({ claimed: 2, unavailable: 'stopping' });
  expect(settled.map(([what, ids]) => [what, ids])).toEqual([['released', ['b', 'a']]]);
  expect(counted).toEqual([]);
});
