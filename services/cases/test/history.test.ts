import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { writeObservations } from '../src/data/write-observations.ts';
import { toObservationRows } from '../src/domain/case-store.ts';
import { startCases } from './cases-fixture.ts';

const DAY_MS = 86_400_000;

const cases = await forThisFile(startCases());

const observations = (receiptNumber: string) =>
  cases.database.query(
    `SELECT status, status_date, source, first_observed_at, last_observed_at FROM cases.observations
     WHERE receipt_number = $1 ORDER BY status_at`,
    [receiptNumber],
  );

test('a moved case is in the history with what it was before, without doubles', async () => {
  const number = 'WAC2090000010';
  await cases.move(number, 'Interview Was Rescheduled', '2025-11-01');
  await cases.found(number);
  await cases.clock.advance(DAY_MS);
  await cases.move(number, 'Case Was Approved', '2026-01-06');
  const found = await cases.found(number);
  const titles = found.histCaseData.map(({ caseStatus }) => caseStatus);
  expect(titles.slice(0, 2)).toEqual(['Case Was Approved', 'Interview Was Rescheduled']);
  expect(titles.filter((title) => title === 'Interview Was Rescheduled')).toHaveLength(1);
  expect(found.caseSubstatus).toBe('decision');
});

test('history grows beyond what the agency returns', async () => {
  const number = 'IOE0912340010';
  await cases.move(number, 'Case Was Received', '2025-01-01');
  await cases.found(number);
  await cases.clock.advance(DAY_MS);
  await cases.move(number, 'Interview Was Scheduled', '2025-02-01');
  await cases.found(number);
  // The agency forgets everything: a case of its own making comes back.
  await cases.control('DELETE', '');
  await cases.clock.advance(DAY_MS);
  const titles = (await cases.found(number)).histCaseData.map(({ caseStatus }) => caseStatus);
  expect(titles).toContain('Interview Was Scheduled');
  expect(titles).toContain('Case Was Received');
});

test('a later date of modification under the same title is an update, not a new status', async () => {
  const number = 'LIN2090000012';
  await cases.move(number, 'Case Was Received', '2025-11-01');
  const before = await cases.found(number);
  await cases.clock.advance(DAY_MS);
  await cases.move(number, 'Case Was Received', '2025-12-01');
  const after = await cases.found(number);
  expect(after.caseLastUpdated).not.toBe(before.caseLastUpdated);
  expect(after.histCaseData).toEqual(before.histCaseData);
  const own = (await observations(number)).filter(({ source }) => source === 'observed');
  expect(own).toHaveLength(1);
  expect(own[0]?.last_observed_at.getTime() - own[0]?.first_observed_at.getTime()).toBe(DAY_MS);
});

test('an unknown title works', async () => {
  const number = 'MSC2090000014';
  await cases.move(number, 'Your Horoscope Was Consulted');
  expect(await cases.found(number)).toMatchObject({
    caseStatus: 'Your Horoscope Was Consulted',
    caseSubstatus: 'other',
    channelType: 'National Benefits Center',
  });
});

test('two processes that observe the same at once leave one observation', async () => {
  const number = 'SRC2090000016';
  const other = await startCases({ database: cases.database });
  await other.clock.advance(cases.clock.nowMs() - other.clock.nowMs());
  await Promise.all([cases.found(number), other.found(number)]);
  const own = (await observations(number)).filter(({ source }) => source === 'observed');
  expect(own).toHaveLength(1);
  await other.stop();
});

test('an answer is written when it is that to a later call than the stored one, and only then, whatever the clocks say', async () => {
  const facts = {
    receiptNumber: 'EAC2090000024',
    status: 'Case Was Received',
    description: 'We received it.',
    links: [],
    formType: 'I-130',
    petitionType: null,
    substatus: null,
    channelType: null,
    submittedDate: null,
    modifiedDate: null,
    statusEs: null,
    descriptionEs: null,
    linksEs: [],
    history: [],
    isWholeHistory: true,
  };
  const { receiptNumber } = facts;
  const pool = cases.database.openPool('cases', 1);
  const DENIED = 'Case Was Denied';
  /** Resolves to what is stored then: the status, and when the agency was asked. */
  const written = async (callNumber: string, sentMs: number, status = facts.status) => {
    const rows = toObservationRows({ ...facts, status }, { receiptNumber, callNumber, sentMs, agoMs: 0 });
    await inTransaction(pool, (tx) => writeObservations(tx, undefined, [rows]));
    const [row] = await cases.database.query<{ status: string; observed_at: Date }>(
      'SELECT status, observed_at FROM cases.case_snapshots WHERE receipt_number = $1',
      [receiptNumber],
    );
    return [row?.status, row?.observed_at.getTime()];
  };
  expect(await written('10', 2_000)).toEqual([facts.status, 2_000]);
  expect(await written('9', 3_000, DENIED)).toEqual([facts.status, 2_000]);
  expect(await written('10', 3_000, DENIED)).toEqual([facts.status, 2_000]);
  // The clock of its process is a day behind.
  expect(await written('11', 2_000 - DAY_MS, DENIED)).toEqual([DENIED, 2_000 - DAY_MS]);
  expect(await written('12', 4_000)).toEqual([facts.status, 4_000]);
});
