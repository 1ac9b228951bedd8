import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, MINUTE, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const R = receipt(1);
const WAIT = { timeout: 10_000, interval: 10 };

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

/** Moves the clock in small steps until the condition holds: what runs in between needs real time. */
const until = (condition: () => unknown, stepMs = 100) =>
  vi.waitFor(async () => {
    await monitoring.clock.advance(stepMs);
    await condition();
  }, WAIT);

test('a started scheduler checks what becomes due, and again a period later', async () => {
  monitoring.job.start();
  await monitoring.requestWatch(user(1), R, 'daily');
  await until(() => expect(monitoring.cases.asked()).toEqual([R]));
  await until(async () => expect((await monitoring.watch(R))?.owed_since).toBeNull());
  await until(() => expect(monitoring.cases.asked()).toEqual([R, R]), HOUR);
});

test('it drains a backlog larger than a batch without waiting in between', async () => {
  for (let n = 1; n <= 250; n++) await monitoring.requestWatch(user(1), receipt(n), 'daily');
  monitoring.job.start();
  await vi.waitFor(() => expect(new Set(monitoring.cases.asked()).size).toBe(250), WAIT);
  expect(monitoring.cases.asked()).toHaveLength(250);
});

test('it continues after cases was unavailable', async () => {
  await monitoring.requestWatch(user(1), R, 'daily');
  monitoring.cases.setBroken(true);
  monitoring.job.start();
  await until(() => expect(monitoring.cases.calls.length).toBeGreaterThanOrEqual(2), 500);
  monitoring.cases.setBroken(false);
  await until(async () => expect((await monitoring.watch(R))?.last_checked_at).not.toBeNull(), 1_000);
});

test('it continues after its database refused it', async () => {
  await monitoring.requestWatch(user(1), R, 'daily');
  await monitoring.database.query('REVOKE UPDATE ON monitoring.watches FROM casewatch_monitoring');
  monitoring.job.start();
  await monitoring.clock.advance(MINUTE);
  expect(monitoring.cases.calls).toEqual([]);
  await monitoring.database.query('GRANT UPDATE ON monitoring.watches TO casewatch_monitoring');
  // The clock may pass a lease while the machine is busy, so that the check is repeated.
  await until(() => expect(monitoring.cases.asked()).toContain(R), 1_000);
});

test('stopping finishes the checks in flight', async () => {
  await monitoring.requestWatch(user(1), R, 'daily');
  const letGo = monitoring.cases.hold();
  monitoring.job.start();
  await vi.waitFor(() => expect(monitoring.cases.calls).toHaveLength(1), WAIT);
  const stopped = monitoring.job.stop();
  letGo();
  await stopped;
  expect(await monitoring.watch(R)).toMatchObject({
    owed_since: null,
    last_checked_at: new Date(monitoring.clock.nowMs()),
  });
});

test('two schedulers share the work: each watch is checked once', async () => {
  await Promise.all(
    Array.from({ length: 400 }, (_, n) => monitoring.requestWatch(user(1), receipt(n + 1), 'daily')),
  );
  const other = await startMonitoring({ database: monitoring.database, clock: monitoring.clock });
  try {
    monitoring.job.start();
    other.job.start();
    await vi.waitFor(async () => {
      expect((await monitoring.watches()).every((row) => row.last_checked_at !== null)).toBe(true);
    }, WAIT);
    expect([...monitoring.cases.asked(), ...other.cases.asked()].sort()).toEqual(
      Array.from({ length: 400 }, (_, n) => receipt(n + 1)),
    );
  } finally {
    await other.stop();
  }
});
