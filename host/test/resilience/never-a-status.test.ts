import { setTimeout as delay } from 'node:timers/promises';
import { FAULT_MODES } from '@casewatch/agency-simulator/faults';
import { HOSTILE_HISTORY_MODES } from '@casewatch/agency-simulator/hostile-reply';
import type { Mutation } from '@casewatch/testing/mutation';
import { afterEach, expect, test } from 'vitest';
import { controlOf } from '../faults/agency-control.ts';
import { TEST_TIMEOUT_MS } from '../faults/counts.ts';
import { BEFORE, beginRound, receiptOf } from '../faults/rounds.ts';
import { mustCome } from '../faults/until.ts';
import { startWatchedProduct, type WatchedProduct } from '../faults/watched-product.ts';

/** R11: whatever the agency answers instead of a status, it never becomes one, nor a notification. */

/** Answers rightly, if late or with an unreadable history. */
const RIGHT: ReadonlySet<string> = new Set(['slow', ...HOSTILE_HISTORY_MODES]);
const WRONG = FAULT_MODES.filter((mode) => !RIGHT.has(mode));
const caseOf = (mode: (typeof WRONG)[number]) => receiptOf(1, WRONG.indexOf(mode));
/** Believes whatever the status endpoint says. */
const BELIEVES_ANYTHING: readonly Mutation[] = [
  {
    file: 'cases/src/agency/read-reply.ts',
    find: "return { kind: 'failure', failure: failureOf(reply) };",
    replace: `return { kind: 'case', case: { receiptNumber, status: 'Error', description: '', links: [], formType: '',
      petitionType: null, substatus: null, channelType: null, submittedDate: null, modifiedDate: null, history: [] } };`,
  },
];

let product: WatchedProduct;
afterEach(() => product.stop());

const start = (mutations: readonly Mutation[] = []) =>
  startWatchedProduct({
    shape: 'all-in-one',
    mutations,
    // A failed check is tried again after a second, and the agency left alone for a moment only.
    env: { MONITORING_PERIOD_SCALE: '0.01', AGENCY_REST_MS: '100', AGENCY_TIMEOUT_MS: '1000' },
  });

const statuses = async () => {
  const rows = await product.database.query<{ status: string }>(
    `SELECT last_status AS status FROM monitoring.watches
     UNION SELECT status FROM cases.case_snapshots WHERE status IS NOT NULL
     UNION SELECT new_status FROM notifications.notifications`,
  );
  return rows.map(({ status }) => status);
};
const makeDue = () =>
  product.database.query(
    'UPDATE monitoring.watches SET next_check_at = now(), owed_since = NULL, attempts = 0',
  );

/** Every case has moved, and the agency answers each in a wrong way of its own. */
async function watchWrongAnswers() {
  const { fault, calls } = controlOf(product.agency);
  for (const mode of WRONG) await fault({ mode, receiptNumber: caseOf(mode) });
  const round = await beginRound(product, 1, WRONG.length);
  for (const mode of WRONG) {
    await mustCome(`a call answered with ${mode}`, async () => (await calls(caseOf(mode))) > 0, 60_000);
  }
  await mustCome('every answer is dealt with', async () => {
    const [row] = await product.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM monitoring.watches WHERE last_failure IS NULL',
    );
    return row?.count === 0 || (await statuses()).length > 1;
  });
  return round;
}

test('R11: no wrong answer of the status endpoint becomes a status; the right one is then published once', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  product = await start();
  const { progress, verdict } = await watchWrongAnswers();
  expect(await statuses()).toEqual([BEFORE]);
  expect(await progress()).toBe(0);
  await controlOf(product.agency).fault({ mode: 'none' });
  await mustCome('all are notified', async () => {
    // "Not recognized" is an answer that is good for a moment, and then for a period.
    await makeDue();
    await delay(1_000);
    return (await verdict()).missing === 0;
  });
  expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
});

test('R11: no wrong answer of the token endpoint becomes a status', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  product = await start();
  const { fault, revokeTokens } = controlOf(product.agency);
  for (const [nth, mode] of WRONG.entries()) {
    await fault({ mode, endpoint: 'token' });
    await revokeTokens();
    await beginRound(product, 2 + nth, 1);
    await mustCome(`the check fails at ${mode}`, async () => {
      const rows = await product.database.query(
        'SELECT 1 FROM monitoring.watches WHERE receipt_number = $1 AND last_failure IS NOT NULL',
        [receiptOf(2 + nth, 0)],
      );
      return rows.length === 1;
    });
    expect(await statuses(), mode).toEqual([BEFORE]);
    await product.database.query('DELETE FROM monitoring.watches');
  }
});

test('R11, shown able to fail: without validation users are notified of any answer', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  product = await start(BELIEVES_ANYTHING);
  await watchWrongAnswers();
  expect(await statuses()).toContain('Error');
});
