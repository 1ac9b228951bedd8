import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BusHarness } from '../bus-harness.ts';
import { commitInTurn, commitLate, upTo } from '../bus-scenarios.ts';
import { createInProcessHarness } from '../in-process-harness.ts';

/** R3 is part of the contract of every bus; here the same scenarios run without the mechanisms that keep it. */

const taken = vi.hoisted(() => ({ pagesByNumber: false, numbersWithoutLock: false }));

/** A relay that reads on from the highest number that is done. */
vi.mock(import('../../src/outbox-rows.ts'), async (load) => {
  const original = await load();
  const LAST_DONE = 'SELECT coalesce(max(seq), 0) FROM outbox WHERE done_at IS NOT NULL';
  const loadPending: typeof original.loadPending = (executor, lanes) => {
    if (!taken.pagesByNumber) return original.loadPending(executor, lanes);
    const query: SqlExecutor['query'] = (sql, parameters) =>
      executor.query(sql.replace('done_at IS NULL', `done_at IS NULL AND seq > (${LAST_DONE})`), parameters);
    return original.loadPending({ query }, lanes);
  };
  return { ...original, loadPending };
});

/** A publisher that draws its numbers without waiting for who publishes on the same key. */
vi.mock(import('../../src/outbox-publisher.ts'), async (load) => {
  const original = await load();
  const createOutboxPublisher: typeof original.createOutboxPublisher = (options) => {
    const publisher = original.createOutboxPublisher(options);
    const withoutLock = (tx: SqlExecutor): SqlExecutor => ({
      query: (sql, parameters) => tx.query(taken.numbersWithoutLock ? unlocked(sql) : sql, parameters),
    });
    return {
      publish: (tx, event, payload) => publisher.publish(withoutLock(tx), event, payload),
      publishAll: (tx, event, payloads) => publisher.publishAll(withoutLock(tx), event, payloads),
    };
  };
  return { ...original, createOutboxPublisher };
});

/** Each statement that publishes takes the lock in a condition or a column. */
function unlocked(sql: string): string {
  const changed = sql.replace(/pg_advisory_xact_lock\(.*\)(?= IS NOT NULL| AS )/, 'true');
  if (changed === sql) throw new Error(`takes no lock: ${sql}`);
  return changed;
}

const WAIT_MS = 1_500;
let harness: BusHarness;
beforeEach(async () => {
  taken.pagesByNumber = false;
  taken.numbersWithoutLock = false;
  harness = await createInProcessHarness();
});
afterEach(() => harness.close());

test('R3, shown able to fail: a relay that pages by number never sees what is committed late', async () => {
  taken.pagesByNumber = true;
  const { atTheEnd } = await commitLate(harness, WAIT_MS);
  expect(atTheEnd).toEqual({ early: upTo(20) });
});

test('R3, shown able to fail: without the lock on its key the later event is published first', async () => {
  taken.numbersWithoutLock = true;
  const { beforeCommit, atTheEnd } = await commitInTurn(harness, WAIT_MS);
  expect(beforeCommit).toEqual({ a: [2], b: [1] });
  expect(atTheEnd).toEqual({ a: [2, 1], b: [1] });
});

test('R3: with both in place neither happens', async () => {
  expect((await commitLate(harness)).atTheEnd).toEqual({ early: upTo(20), late: [1] });
  expect((await commitInTurn(harness)).atTheEnd).toEqual({ early: upTo(20), late: [1], b: [1], a: [1, 2] });
});
