import { randomUUID } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import type { OwnTestRedis } from '@casewatch/dev-stack/redis/redis-server';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { openRedisState } from '@casewatch/shared-state/redis-state';
import type { SharedState } from '@casewatch/shared-state/shared-state';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { createPubSubSignal } from '../../src/live/live-signal.ts';
import { describePush, TRACEPARENT } from '../signal-contract.ts';

describe('pushes by Redis', () => {
  const prefix = `casewatch-test-${randomUUID()}:`;
  const open: SharedState[] = [];
  let server: OwnTestRedis;
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    [server, database] = await Promise.all([startOwnTestRedis(), createTestDatabase()]);
    pool = database.openPool('notifications', 4);
  });
  afterEach(async () => {
    for (const state of open.splice(0)) await state.stop();
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  describePush({
    join: async ({ traced } = { traced: false }) => {
      const state = await openRedisState({ url: server.url, prefix, logger: pino({ level: 'silent' }) });
      open.push(state);
      const { pubSub } = state;
      if (!pubSub) throw new Error('Redis publishes and subscribes');
      const tracing = { traceparent: () => (traced ? TRACEPARENT : undefined) };
      return createPubSubSignal({ pubSub, clock: systemClock, tracing });
    },
    pool: () => pool,
    cutOff: async () => {
      await server.kill();
      await server.restart();
    },
  });
});
