import { uuidV7Time } from '@casewatch/service-kit/database/uuid-v7';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { startMaintenance } from './maintenance.ts';

const HOUR_MS = 3_600_000;
const RETENTION_MS = 14 * 24 * HOUR_MS;
const GROUPS = ['cases', 'billing'];

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

/** Maintenance of two groups and two outboxes, of which the test says how old their oldest events are. */
async function start() {
  const clock = createManualClock();
  let sleeping = 0;
  const sleep: Clock['sleep'] = (ms, signal) => {
    sleeping += 1;
    return clock.sleep(ms, signal).finally(() => {
      sleeping -= 1;
    });
  };
  const oldest: (Date | null)[] = [null, null];
  const redrives: string[] = [];
  /** The groups and times before which their inboxes were pruned. */
  const pruned: string[] = [];
  const warnings: unknown[] = [];
  const faults = {
    redrive: async (_group: string): Promise<void> => undefined,
    whilePruning: (): void => undefined,
  };
  /** How many batches each inbox still holds of what is too old. */
  const batches = new Map<string, number>();
  const maintenance = startMaintenance({
    clock: { ...clock, sleep },
    logger: pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) }),
    sweepMs: 5_000,
    inboxRetentionMs: RETENTION_MS,
    outboxes: oldest.map((_, at) => ({
      query: async <Row>() => [{ waiting: 1, oldest: oldest[at] }] as Row[],
    })),
    groups: GROUPS.map((group) => ({
      group,
      consumer: {
        redrive: async () => {
          redrives.push(group);
          await faults.redrive(group);
        },
      },
      sql: {
        query: async <Row>(_sql: string, [name, floor]: readonly unknown[]) => {
          pruned.push(`${name} ${new Date(uuidV7Time(String(floor))).toISOString()}`);
          faults.whilePruning();
          const left = batches.get(group) ?? 0;
          batches.set(group, Math.max(left - 1, 0));
          return (left > 0 ? [{}] : []) as Row[];
        },
      },
    })),
  });
  stop = maintenance.stop;
  await clock.advance(0);
  const before = (atMs: number) => GROUPS.map((group) => `${group} ${new Date(atMs).toISOString()}`);
  const asleep = () => sleeping;
  return {
    clock,
    maintenance,
    oldest,
    redrives,
    pruned,
    before,
    warnings,
    faults,
    batches,
    sleeping: asleep,
  };
}

test('requested redrives are looked for at the start, at every sweep and when poked', async () => {
  const { clock, maintenance, redrives, sleeping } = await start();
  expect(redrives).toEqual(GROUPS);
  await clock.advance(4_999);
  expect(redrives).toHaveLength(2);
  await clock.advance(1);
  expect(redrives).toHaveLength(4);
  maintenance.poke();
  await clock.advance(0);
  expect(redrives).toHaveLength(6);
  await clock.advance(4_999);
  expect(redrives).toHaveLength(6);
  await clock.advance(1);
  expect(redrives).toHaveLength(8);
  expect(sleeping()).toBe(1);
  await maintenance.stop();
  expect([redrives.length, sleeping()]).toEqual([8, 0]);
});

test('inboxes are pruned at the start and every hour, of what is older than they keep', async () => {
  const { clock, pruned, before } = await start();
  const startedMs = clock.nowMs();
  expect(pruned).toEqual(before(startedMs - RETENTION_MS));
  await clock.advance(HOUR_MS - 5_000);
  expect(pruned).toHaveLength(2);
  await clock.advance(5_000);
  expect(pruned.slice(2)).toEqual(before(startedMs + HOUR_MS - RETENTION_MS));
});

test('inboxes are pruned within an hour of the last time, also after the clock was set back', async () => {
  const { clock, pruned } = await start();
  await clock.jump(-24 * HOUR_MS);
  await clock.advance(HOUR_MS + 5_000);
  expect(pruned).toHaveLength(4);
});

test('an inbox is pruned in batches until nothing too old is left', async () => {
  const { clock, pruned, batches } = await start();
  batches.set('cases', 3);
  await clock.advance(HOUR_MS);
  expect(pruned.slice(2).map((line) => line.split(' ')[0])).toEqual([...Array(4).fill('cases'), 'billing']);
});

test('a stop waits for the batches in flight, not for those to come', async () => {
  const { clock, maintenance, pruned, batches, faults } = await start();
  batches.set('cases', 3);
  faults.whilePruning = () => void maintenance.stop();
  await clock.advance(HOUR_MS);
  await maintenance.stop();
  expect(pruned.slice(2).map((line) => line.split(' ')[0])).toEqual(GROUPS);
});

test('an inbox keeps what is as old as an event that is still in an outbox', async () => {
  const { clock, oldest, pruned, before } = await start();
  oldest[0] = new Date(clock.nowMs() - 1_000);
  oldest[1] = new Date(clock.nowMs() - 30 * 24 * HOUR_MS);
  await clock.advance(HOUR_MS);
  expect(pruned.slice(2)).toEqual(before(oldest[1].getTime()));
  oldest[1] = null;
  await clock.advance(HOUR_MS);
  expect(pruned.slice(4)).toEqual(before(clock.nowMs() - RETENTION_MS));
});

test('a redrive that fails is logged with its group, and the rest continues', async () => {
  const { clock, redrives, pruned, warnings, faults } = await start();
  faults.redrive = async (group) => {
    if (group === 'cases') throw new Error('no database');
  };
  await clock.advance(5_000);
  expect(warnings).toMatchObject([{ group: 'cases', err: { message: 'no database' } }]);
  expect(redrives.slice(2)).toEqual(GROUPS);
  await clock.advance(HOUR_MS);
  expect(pruned).toHaveLength(4);
});
