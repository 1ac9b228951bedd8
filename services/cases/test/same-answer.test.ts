import { caseWatchChanged } from '@casewatch/contracts/events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const DAY_MS = 86_400_000;
const RECEIVED = 'Case Was Received';

let cases: CasesFixture;
/** Set: the next call waits on its way to the agency until it is released. */
let held: { arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined;
beforeAll(async () => {
  cases = await startCases({
    holdUp: async () => {
      held?.arrived.resolve();
      await held?.released.promise;
    },
  });
});
afterAll(() => cases.stop());

/** Which transaction wrote each row of a case last. */
const writers = async (receiptNumber: string) => ({
  history: await cases.database.query(
    'SELECT status, xmin::text FROM cases.observations WHERE receipt_number = $1 ORDER BY status_at',
    [receiptNumber],
  ),
  saved: await cases.database.query(
    'SELECT user_id, xmin::text FROM cases.saved_cases WHERE receipt_number = $1 ORDER BY user_id',
    [receiptNumber],
  ),
});

/** A day later; returns when the agency was asked, in ISO 8601. */
async function checkAgain(receiptNumber: string): Promise<string> {
  await cases.clock.advance(DAY_MS);
  const askedAt = new Date(cases.clock.nowMs()).toISOString();
  await cases.check([receiptNumber]);
  return askedAt;
}

test('the same answer to a scheduled check writes the snapshot alone', async () => {
  const number = 'EAC2090000020';
  await cases.move(number, RECEIVED, '2025-11-01');
  await cases.save(number, ADA);
  await cases.save(number, BOB);
  const first = await cases.found(number);
  const before = await writers(number);
  expect(before.history.length).toBeGreaterThan(1);
  expect(before.saved).toHaveLength(2);
  const observedAt = await checkAgain(number);
  expect(await cases.found(number)).toEqual({ ...first, observedAt });
  expect(await writers(number)).toEqual(before);
});

test('whoever shows a saved case shows when it was checked last, also when that found nothing new', async () => {
  const number = 'EAC2090000022';
  await cases.move(number, RECEIVED, '2025-11-01');
  await cases.save(number, PAT);
  await cases.check([number]);
  const lastCheckedAt = await checkAgain(number);
  const read = async (path: string) => {
    const answer = await cases.call('GET', path, { as: PAT });
    return answer.text();
  };
  const shown = { receiptNumber: number, lastCheckedAt, lastKnownStatus: RECEIVED };
  expect(await cases.saved(PAT)).toMatchObject([shown]);
  expect(JSON.parse(await read('/api/saved-cases/page'))).toMatchObject({ cases: [shown] });
  const changed = await cases.change(number, { nickname: 'Dad', monitoringFrequency: 'daily' }, PAT);
  expect(await changed.json()).toMatchObject(shown);
  expect((await cases.eventsOf(caseWatchChanged)).at(-1)?.known).toEqual({
    status: RECEIVED,
    observedAt: lastCheckedAt.replace('.000Z', 'Z'),
  });
  expect(await read('/api/saved-cases.csv')).toContain(lastCheckedAt);
  const download = (await read('/api/my-data/cases')).trimEnd().split('\n');
  const row = download.map((line) => JSON.parse(line).row).find((one) => one.receipt_number === number);
  expect(new Date(row.last_checked_at).toISOString()).toBe(lastCheckedAt);
});

test('a saved case that missed what is stored gets it with the next check, even when nothing is new', async () => {
  const number = 'EAC2090000024';
  await cases.move(number, RECEIVED, '2025-11-01');
  await cases.save(number, ADA);
  await cases.check([number]);
  const [complete] = (await cases.saved(ADA)).filter(({ receiptNumber }) => receiptNumber === number);
  // As left behind by a save and a first answer at the same moment, neither of which sees the other.
  await cases.database.query(
    `UPDATE cases.saved_cases SET last_checked_at = NULL, last_known_status = NULL, form_type = NULL, status_changed_at = NULL,
       status_date = NULL, spanish_at = NULL WHERE receipt_number = $1`,
    [number],
  );
  const unchecked = { lastCheckedAt: null, lastKnownStatus: null };
  expect((await cases.saved(ADA)).filter(({ receiptNumber }) => receiptNumber === number)).toMatchObject([
    unchecked,
  ]);
  const lastCheckedAt = await checkAgain(number);
  expect((await cases.saved(ADA)).filter(({ receiptNumber }) => receiptNumber === number)).toEqual([
    { ...complete, lastCheckedAt },
  ]);
});

/** The rows of the log of the checks of a case, as they were published. */
const checksOf = async (receiptNumber: string) =>
  (await cases.logged()).filter((row) => row.source === 'monitor' && row.receiptNumbers[0] === receiptNumber);

test('the same text again is named by the row that has it, for seven days, and then logged again', async () => {
  const number = 'EAC2090000026';
  await cases.move(number, RECEIVED, '2025-11-01');
  await cases.check([number]);
  const endedAt = new Date(cases.clock.nowMs()).toISOString();
  for (let day = 1; day <= 8; day += 1) await checkAgain(number);
  const [first, ...others] = await checksOf(number);
  const last = others.pop();
  expect(first?.responsePayload).toContain(RECEIVED);
  expect(first?.sameAnswer).toBeUndefined();
  expect(others).toHaveLength(7);
  for (const row of others) {
    expect(row).toMatchObject({ success: true, statusCode: 200, agencyCalls: 1, responsePayload: '' });
    expect(row.sameAnswer?.callId).toBe(first?.callId);
    expect(new Date(row.sameAnswer?.endedAt ?? '').toISOString()).toBe(endedAt);
  }
  expect(last?.responsePayload).toBe(first?.responsePayload);
  expect(last?.sameAnswer).toBeUndefined();
  await checkAgain(number);
  expect((await checksOf(number)).at(-1)?.sameAnswer?.callId).toBe(last?.callId);
});

test('a user’s row has its own text, and none of a check names it', async () => {
  const number = 'EAC2090000028';
  await cases.move(number, RECEIVED, '2025-11-01');
  await cases.found(number, ADA);
  await checkAgain(number);
  await checkAgain(number);
  await cases.clock.advance(DAY_MS);
  await cases.found(number, ADA);
  await checkAgain(number);
  const rows = (await cases.logged()).filter(({ receiptNumbers }) => receiptNumbers[0] === number);
  const [ofUser, ofCheck, ...later] = rows;
  expect(rows.map(({ source }) => source)).toEqual(['user', 'monitor', 'monitor', 'user', 'monitor']);
  expect(ofCheck?.responsePayload).toBe(ofUser?.responsePayload);
  expect(later.map(({ sameAnswer, responsePayload }) => [sameAnswer?.callId, responsePayload])).toEqual([
    [ofCheck?.callId, ''],
    [undefined, ofUser?.responsePayload],
    [ofCheck?.callId, ''],
  ]);
});

test('a change, and a change back to a text from before, are both seen', async () => {
  const number = 'EAC2090000030';
  const statuses: string[] = [];
  for (const [status, date] of [
    [RECEIVED, '2025-11-01'],
    ['Case Was Approved', '2025-12-01'],
    [RECEIVED, '2025-11-01'],
  ] as const) {
    await cases.move(number, status, date);
    await checkAgain(number);
    await checkAgain(number);
    statuses.push((await cases.found(number)).caseStatus);
  }
  expect(statuses).toEqual([RECEIVED, 'Case Was Approved', RECEIVED]);
  expect((await checksOf(number)).map(({ sameAnswer }) => sameAnswer !== undefined)).toEqual([
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
});

test('an answer is read again where a version that does not know its text has stored something else', async () => {
  const number = 'EAC2090000032';
  await cases.move(number, RECEIVED, '2025-11-01');
  await checkAgain(number);
  await cases.database.query(
    `UPDATE cases.case_snapshots SET status = 'Case Was Approved', facts_hash = 'others' WHERE receipt_number = $1`,
    [number],
  );
  await checkAgain(number);
  expect((await cases.found(number)).caseStatus).toBe(RECEIVED);
});

test('an answer that was recognized replaces all that has been stored while it was on its way', async () => {
  const number = 'EAC2090000034';
  await cases.move(number, RECEIVED, '2025-11-01');
  await checkAgain(number);
  const first = await cases.found(number);
  held = { arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
  const checked = checkAgain(number);
  await held.arrived.promise;
  await cases.database.query(
    `UPDATE cases.case_snapshots SET status = 'Case Was Approved', description = 'Approved.', facts_hash = 'others'
     WHERE receipt_number = $1`,
    [number],
  );
  held.released.resolve();
  const observedAt = await checked;
  expect((await checksOf(number)).at(-1)?.sameAnswer).toBeDefined();
  expect(await cases.found(number)).toEqual({ ...first, observedAt });
});
