import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bus, counted, upTo } from '../bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from '../events-database.ts';
import { createHistory } from '../history.ts';

/** Two processes relay one outbox; each meets what can happen to a process. */

let database: EventsDatabase;
let children: ChildProcess[];
beforeEach(async () => {
  children = [];
  database = await createEventsDatabase();
  await database.query(`CREATE TABLE notifications.arrivals (seq bigserial, relay int, key text, n int);
    GRANT ALL ON notifications.arrivals, notifications.arrivals_seq_seq TO PUBLIC`);
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await database.drop();
});

const program = fileURLToPath(new URL('./relay-process.ts', import.meta.url));
function start(): ChildProcess {
  const urls = [database.urlFor('billing'), database.urlFor('notifications')];
  const child = spawn(process.execPath, [program, ...urls], { stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return child;
}

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 40_000, interval: 20 });
const count = async (sql: string): Promise<number> => (await database.query(sql))[0].count;
const pending = () => count('SELECT count(*)::int FROM billing.outbox WHERE done_at IS NULL');
const arrived = () => count('SELECT count(*)::int FROM notifications.arrivals');
/** The session that has the lock of the outbox. */
const holder = async (): Promise<number | undefined> =>
  (
    await database.query(`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND pid IN (SELECT pid FROM pg_stat_activity WHERE application_name = 'casewatch-relay-billing')
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
  )[0]?.pid;
/** The process that relayed last. */
async function activeChild(): Promise<ChildProcess> {
  const [last] = await database.query('SELECT relay FROM notifications.arrivals ORDER BY seq DESC LIMIT 1');
  const child = children.find(({ pid }) => pid === last?.relay);
  if (!child) throw new Error('no process has relayed yet');
  return child;
}
/** Waits for the next holder of the lock, and for its first event if it has any to publish. Resolves to the time that took. */
async function takenOver(from: number | undefined): Promise<number> {
  const startMs = performance.now();
  await eventually(async () => {
    const now = await holder();
    expect(now).toBeDefined();
    expect(now).not.toBe(from);
  });
  return performance.now() - startMs;
}

test('R2: the active relay is killed, the next one frozen until its session ends and back: taken over within 10 s, every key in order', async () => {
  const keys = upTo(40).map((n) => `key-${n}`);
  const publish = (from: number, to: number) =>
    database.transaction('billing', (tx) =>
      bus.publishAll(
        tx,
        counted,
        keys.flatMap((userId) => upTo(to - from + 1).map((n) => ({ userId, loginCount: from + n - 1 }))),
      ),
    );
  const relayed = async (more: number) => {
    const before = await arrived();
    await eventually(async () => expect(await arrived()).toBeGreaterThan(before + more));
  };
  start();
  start();
  await publish(1, 40);
  await relayed(100);
  let before = await holder();
  const killed = await activeChild();
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await takenOver(before)).toBeLessThan(10_000);
  start();

  await publish(41, 120);
  await relayed(100);
  before = await holder();
  const frozen = await activeChild();
  frozen.kill('SIGSTOP');
  expect(await takenOver(before)).toBeLessThan(10_000);
  await publish(121, 130);
  await eventually(async () => expect(await pending()).toBe(0));
  frozen.kill('SIGCONT');
  await publish(131, 135);
  await eventually(async () => expect(await pending()).toBe(0));

  const history = createHistory();
  const rows = await database.query('SELECT relay, key, n FROM notifications.arrivals ORDER BY seq');
  for (const { relay, key, n } of rows) history.append(String(relay), { key, payload: { loginCount: n } });
  expect(history.violations(Object.fromEntries(keys.map((key) => [key, 135])))).toEqual([]);
}, 120_000);
