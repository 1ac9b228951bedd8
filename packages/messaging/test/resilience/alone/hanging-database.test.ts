import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { startTcpProxy } from '@casewatch/testing/tcp-proxy';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { listDeadLetters } from '../../../src/dead-letters.ts';
import { startInProcessBus } from '../../../src/in-process-bus.ts';
import { batchRecorder, bus, counted, perKey, recorder, upTo } from '../../bus-scenarios.ts';
import { createEventsDatabase } from '../../events-database.ts';
import { untilIdle } from '../../in-process-harness.ts';

/** No other file runs at the same time: PostgreSQL has all its processes, also those whose clients hang, agree to the end of a database. */
const HANG_MS = 60_000;

test('R5: PostgreSQL hanging for 60 s while events flow leaves no dead letter, and everything is handled once', async () => {
  const database = await createEventsDatabase();
  const direct = new URL(database.urlFor('billing'));
  const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  const through = (service: Parameters<typeof database.urlFor>[0]) => {
    const url = new URL(database.urlFor(service));
    url.host = `127.0.0.1:${proxy.port}`;
    return url.href;
  };
  const relaying = await startInProcessBus({
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    sources: [{ service: 'billing', databaseUrl: through('billing') }],
    databaseUrlFor: through,
    handlers: [recorder('notifications'), batchRecorder('admin-log', () => undefined)],
  });
  const keys = upTo(20).map((n) => `key-${n}`);
  const publish = (loginCount: number) =>
    database.transaction('billing', (tx) =>
      bus.publishAll(
        tx,
        counted,
        keys.map((userId) => ({ userId, loginCount })),
      ),
    );
  const rounds = upTo(12);
  try {
    for (const round of rounds) {
      await publish(round);
      if (round === 4) {
        await vi.waitFor(async () => expect(await database.effects('notifications')).not.toEqual([]), 20_000);
        await proxy.set('hang');
      }
      if (round > 4) await systemClock.sleep(HANG_MS / 8);
    }
    await proxy.set('pass');
    await vi.waitFor(() => untilIdle(relaying), { timeout: 60_000, interval: 100 });
    const everything = Object.fromEntries(keys.map((key) => [key, rounds]));
    for (const group of ['notifications', 'admin-log'] as const) {
      expect(perKey(await database.effects(group))).toEqual(everything);
      expect(await database.transaction(group, (tx) => listDeadLetters(tx))).toEqual([]);
    }
  } finally {
    await proxy.set('pass');
    await relaying.stop();
    await proxy.stop();
    await database.drop();
  }
}, 240_000);
