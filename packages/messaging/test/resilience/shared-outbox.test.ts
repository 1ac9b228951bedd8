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
/** How many shards each session of a relay holds. */
const shards = async (): Promise<number[]> =>
  (
    await database.query(`SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY pid ORDER BY 1`)
  ).map(({ held }) => held);
const count = async (sql: string): Promise<number> => (await database.query(sql))[0].count;
const pending = () => count('SELECT count(*)::int FROM billing.outbox WHERE done_at IS NULL');
const arrived = () => count('SELECT count(*)::int FROM notifications.arrivals');

test('a relay is killed and comes back, the other is frozen until its leases end and goes on: every key in order', async () => {
  const keys = upTo(40).map((n) => `key-${n}`);
  const publish = (from: number, to: number) =>
    database.transaction('billing', (tx) =>
      bus.publishAll(
        tx,
        counted,
        keys.flatMap((userId) => upTo(to - from + 1).map((n) => ({ userId, loginCount: from + n - 1 }))),
      ),
    );
  const [killed, frozen] = [start(), start()];
  await eventually(async () => expect(await shards()).toEqual([4, 4]));

  await publish(1, 40);
  await eventually(async () => expect(await arrived()).toBeGreaterThan(100));
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await eventually(async () => expect(await shards()).toEqual([8]));
  start();
  await eventually(async () => expect(await shards()).toEqual([4, 4]));

  await publish(41, 120);
  const before = await arrived();
  await eventually(async () => expect(await arrived()).toBeGreaterThan(before + 100));
  frozen.kill('SIGSTOP');
  await eventually(async () => expect(await shards()).toEqual([8]));
  await publish(121, 130);
  await eventually(async () => expect(await pending()).toBe(0));
  frozen.kill('SIGCONT');
  await eventually(async () => expect(await shards()).toEqual([4, 4]));
  await publish(131, 135);
  await eventually(async () => expect(await pending()).toBe(0));

  const history = createHistory();
  const rows = await database.query('SELECT relay, key, n FROM notifications.arrivals ORDER BY seq');
  for (const { relay, key, n } of rows) history.append(String(relay), { key, payload: { loginCount: n } });
  expect(history.violations(Object.fromEntries(keys.map((key) => [key, 135])))).toEqual([]);
}, 120_000);
