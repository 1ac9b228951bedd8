import { userChanged, userDeleted } from '@casewatch/contracts/events';
import { changeSavedCases, importSavedCases } from '@casewatch/contracts/workspace';
import { forThisFile } from '@casewatch/testing/for-this-file';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADA, PAT, startCases } from './cases-fixture.ts';

/** Not recognized by the agency, and before the others. */
const NOT_RECOGNIZED = 'EAC0000000001';
const [FIRST, SECOND] = ['EAC9999103403', 'EAC9999103404'];
const OTHERS = ['EAC9999103405', 'EAC9999103410', 'EAC9999103411'];
const LOCK_SNAPSHOT = 'SELECT FROM case_snapshots WHERE receipt_number = $1 FOR UPDATE';
const LOCK_SAVED = 'SELECT FROM saved_cases WHERE receipt_number = $1 FOR NO KEY UPDATE';

/** Takes the locks of an observation of both cases, one by one: the snapshots, then those who saved them, by receipt number. */
let observing: pg.Client;
const cases = await forThisFile(startCases());
beforeEach(async () => {
  for (const table of ['saved_cases', 'removed_cases', 'plans', 'deleted_users'])
    await cases.database.query(`DELETE FROM cases.${table}`);
  observing = new pg.Client({
    connectionString: cases.database.urlFor('cases'),
    options: '-c search_path=cases',
  });
  await observing.connect();
  await observing.query('BEGIN');
});
afterEach(() => observing.end());

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const untilBlocked = (statements = 1) =>
  expect.poll(() => cases.database.query(WAITING)).toHaveLength(statements);

test.each([
  [
    'an import',
    importSavedCases.path,
    { cases: [FIRST, SECOND].map((receiptNumber) => ({ receiptNumber })) },
  ],
  ['a restore', changeSavedCases.path, { action: 'restore', receiptNumbers: [FIRST, SECOND] }],
])(
  '%s that has some of its cases already holds up no observation that it waits for',
  async (_, path, body) => {
    await cases.found(FIRST);
    await cases.save(FIRST, PAT);
    await cases.remove(FIRST, PAT);
    await cases.save(SECOND, PAT);
    await observing.query(LOCK_SNAPSHOT, [FIRST]);
    const answered = cases.call('POST', path, { as: PAT, body });
    await untilBlocked();
    await observing.query(LOCK_SAVED, [SECOND]);
    await observing.query('COMMIT');
    const answer = await answered;
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { results: [{ outcome: 'changed' }, { outcome: 'unchanged' }] },
    ]);
  },
);

const CHANGE = { userId: PAT.userId, name: 'Pat', emailChanged: false };
test.each([
  ['the end of a plan', () => cases.deliver(userChanged, { ...CHANGE, tier: 'free', version: 1 })],
  ['the return of a plan', () => cases.deliver(userChanged, { ...CHANGE, tier: 'pro', version: 1 })],
  ['the deletion of an account', () => cases.deliver(userDeleted, { userId: PAT.userId })],
])('%s locks the cases in the order of observations', async (what, deliver) => {
  // Saved in any other order.
  for (const receiptNumber of [SECOND, ...OTHERS, FIRST]) {
    await cases.save(receiptNumber, PAT, { monitoringFrequency: 'daily' });
    await cases.clock.advance(1);
  }
  if (what === 'the return of a plan') {
    await cases.database.query('UPDATE cases.saved_cases SET monitoring_paused_at = now()');
  }
  await observing.query(LOCK_SAVED, [FIRST]);
  const delivered = deliver();
  await untilBlocked();
  for (const receiptNumber of [SECOND, ...OTHERS]) await observing.query(LOCK_SAVED, [receiptNumber]);
  await observing.query('COMMIT');
  await delivered;
});

test('answers of one transaction lock in one order, whether or not the agency recognizes the case', async () => {
  await cases.lookUp(NOT_RECOGNIZED);
  await cases.found(FIRST);
  await cases.save(FIRST, ADA);
  await cases.move(FIRST, 'Case Was Rejected');
  await cases.clock.advance(10_000);
  await observing.query(LOCK_SAVED, [FIRST]);
  const checked = cases.check([NOT_RECOGNIZED, FIRST]);
  await untilBlocked();
  const body = { cases: [NOT_RECOGNIZED, FIRST].map((receiptNumber) => ({ receiptNumber })) };
  const imported = cases.call('POST', importSavedCases.path, { as: PAT, body });
  await untilBlocked(2);
  await observing.query('COMMIT');
  expect(await checked).toMatchObject([{ outcome: 'not-recognized' }, { outcome: 'observed' }]);
  expect((await imported).status).toBe(200);
});
