import { caseWatchChanged } from '@casewatch/contracts/events';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { ADA, PAT, startCases } from './cases-fixture.ts';

const DAY_MS = 86_400_000;
const RECEIVED = 'Case Was Received';

const cases = await forThisFile(startCases());

/** A day later; returns when the agency was asked, in ISO 8601. */
async function checkAgain(receiptNumber: string): Promise<string> {
  await cases.clock.advance(DAY_MS);
  const askedAt = new Date(cases.clock.nowMs()).toISOString();
  await cases.check([receiptNumber]);
  return askedAt;
}

test('a saved case is shown with when it was checked last, also when that found nothing new', async () => {
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
  expect((await cases.eventsOf(caseWatchChanged)).at(-1)?.shown).toMatchObject({ status: RECEIVED });
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
       status_date = NULL WHERE receipt_number = $1`,
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

test('every check is logged with the text that it got, also with the same again', async () => {
  const number = 'EAC2090000026';
  await cases.move(number, RECEIVED, '2025-11-01');
  for (let day = 1; day <= 3; day += 1) await checkAgain(number);
  const rows = (await cases.logged()).filter(({ receiptNumber }) => receiptNumber === number);
  expect(rows).toHaveLength(3);
  expect(rows[0]?.responsePayload).toContain(RECEIVED);
  expect(new Set(rows.map(({ responsePayload }) => responsePayload)).size).toBe(1);
});

test('a change, and a change back to an answer from before, are both seen', async () => {
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
});
