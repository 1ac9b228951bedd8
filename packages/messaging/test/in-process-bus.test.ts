import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BusHarness, Member, MemberOptions } from './bus-harness.ts';
import {
  bus,
  counted,
  gate,
  perKey,
  publishOne,
  publishRun,
  quick,
  recorder,
  upTo,
} from './bus-scenarios.ts';
import { createInProcessHarness } from './in-process-harness.ts';

/** What is special to the adapter whose only broker is PostgreSQL. */

const HOUR_MS = 3_600_000;
let harness: BusHarness;
let members: Member[];
beforeEach(async () => {
  harness = await createInProcessHarness();
  members = [];
});
afterEach(async () => {
  await Promise.all(members.map((member) => member.stop()));
  await harness.close();
});

async function startMember(options: Partial<MemberOptions> = {}): Promise<Member> {
  const member = await harness.startMember({
    handlers: [recorder('notifications')],
    policy: quick,
    ...options,
  });
  members.push(member);
  return member;
}
const effects = async () => perKey(await harness.database.effects('notifications'));
const count = async (sql: string): Promise<number> => (await harness.database.query(sql))[0].count;
const waiting = () => count('SELECT count(*)::int FROM billing.outbox WHERE done_at IS NULL');

/** Real time, for what other processes do; fails after ten seconds. */
async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await what()) return;
    await systemClock.sleep(10);
  }
  throw new Error('it did not happen');
}

test('an event that no hint announces is found by the next poll', async () => {
  const clock = createManualClock();
  const member = await startMember({ clock });
  await publishOne(harness, 'first', 1);
  await member.idle();
  await publishOne(harness, 'unannounced', 1);
  await until(async () => {
    await clock.advance(100);
    return (await effects()).unannounced !== undefined;
  });
  expect(await effects()).toEqual({ first: [1], unannounced: [1] });
});

test('a burst of events of a blocked key, found at the start, leaves room for those of other keys', async () => {
  const stuck = gate();
  await publishRun(harness, 'stuck', 60);
  await publishOne(harness, 'free', 1);
  const member = await startMember({
    window: 50,
    handlers: [recorder('notifications', ({ userId }) => (userId === 'stuck' ? stuck.opened : undefined))],
  });
  try {
    await until(async () => (await effects()).free !== undefined);
    expect(await effects()).toEqual({ free: [1] });
  } finally {
    stuck.open();
  }
  await member.idle();
  expect(await effects()).toEqual({ free: [1], stuck: upTo(60) });
});

test('events of a blocked key leave room for those of other keys', async () => {
  const stuck = gate();
  let handling = false;
  const first = await startMember({
    window: 50,
    handlers: [
      recorder('notifications', ({ userId }) => {
        if (userId !== 'stuck') return;
        handling = true;
        return stuck.opened;
      }),
    ],
  });
  const publishStuck = (counts: number[]) =>
    harness.database.transaction('billing', (tx) =>
      bus.publishAll(
        tx,
        counted,
        counts.map((loginCount) => ({ userId: 'stuck', loginCount })),
      ),
    );
  try {
    await publishStuck(upTo(22));
    await until(async () => handling);
    await publishStuck(upTo(60).map((n) => n + 22));
    await publishOne(harness, 'free', 1);
    await until(async () => (await effects()).free !== undefined);
    expect(await effects()).toEqual({ free: [1] });
  } finally {
    stuck.open();
  }
  await first.idle();
  expect(await effects()).toEqual({ free: [1], stuck: upTo(82) });
});

test('two transactions that publish the same keys in opposite orders both commit', async () => {
  const held = gate();
  const batch = (keys: string[]) =>
    harness.database.transaction('billing', (tx) =>
      bus.publishAll(
        tx,
        counted,
        keys.map((userId) => ({ userId, loginCount: 1 })),
      ),
    );
  // Other databases of the server belong to other tests.
  const locks = (condition: 'granted' | 'NOT granted') =>
    count(`SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND ${condition}
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  const holder = harness.database.transaction('billing', async (tx) => {
    await bus.publish(tx, counted, { userId: 'm', loginCount: 1 });
    await held.opened;
  });
  let batches: Promise<void>[] = [];
  try {
    await until(async () => (await locks('granted')) > 0);
    batches = [batch(['a', 'm', 'z'])];
    await until(async () => (await locks('NOT granted')) === 1);
    batches.push(batch(['z', 'm', 'a']));
    await until(async () => (await locks('NOT granted')) === 2);
  } finally {
    held.open();
  }
  await expect(Promise.all([holder, ...batches])).resolves.toBeDefined();
});

test('R2: what was committed while no bus ran is handled when one starts', async () => {
  await publishRun(harness, 'a', 3);
  await startMember({ clock: createManualClock() });
  await until(async () => (await effects()).a?.length === 3);
  expect(await effects()).toEqual({ a: upTo(3) });
});

test('every connection cut in the middle: all is handled once, in order', async () => {
  const member = await startMember({
    handlers: [recorder('notifications', () => systemClock.sleep(2))],
    sweepMs: 100,
  });
  const keys = ['a', 'b', 'c'];
  await Promise.all(keys.map((key) => publishRun(harness, key, 30)));
  await until(async () => Object.values(await effects()).flat().length > 5);
  await harness.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'casewatch-%'`,
  );
  await until(async () => (await waiting()) === 0);
  // Its own query may still meet a connection that was cut.
  await until(() =>
    member.idle().then(
      () => true,
      () => false,
    ),
  );
  expect(await effects()).toEqual(Object.fromEntries(keys.map((key) => [key, upTo(30)])));
});

test('done events go after a day; what the inbox remembers stays while an event as old waits', async () => {
  const clock = createManualClock(Date.now());
  const never = recorder('admin-log', () => {
    throw Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
  });
  const both = await startMember({ clock, handlers: [recorder('notifications'), never] });
  await publishOne(harness, 'a', 1);
  // Published by another process, so without a hint: the relay finds it when it polls by this clock.
  await until(async () => {
    await clock.advance(1_000);
    return (await effects()).a !== undefined;
  });
  await both.stop();
  const inbox = () => count('SELECT count(*)::int FROM notifications.inbox');
  const outbox = () => count('SELECT count(*)::int FROM billing.outbox');

  await clock.advance(30 * 24 * HOUR_MS);
  // Older than the pending event: deleted by the next maintenance.
  await harness.database.query(
    `INSERT INTO notifications.inbox VALUES ('notifications', '00000000-0000-7000-8000-000000000000', now())`,
  );
  const stuck = await startMember({ clock, handlers: [recorder('notifications'), never] });
  await until(async () => (await inbox()) === 1);
  expect(await outbox()).toBe(1);
  await stuck.stop();

  const well = await startMember({ clock });
  await well.idle();
  expect(await effects()).toEqual({ a: [1] });
  await clock.advance(2 * HOUR_MS);
  // The clock moves on: a job that is busy when it jumps sleeps from the new time.
  await until(async () => {
    await clock.advance(HOUR_MS / 60);
    return (await inbox()) === 0;
  });
  expect(await outbox()).toBe(1);
  await clock.advance(25 * HOUR_MS);
  await until(async () => {
    await clock.advance(HOUR_MS);
    return (await outbox()) === 0;
  });
});
