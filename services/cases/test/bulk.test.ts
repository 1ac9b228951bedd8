import { bulkResultItem } from '@casewatch/contracts/cases';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { ADA, errorOf, PAT, startCases } from './cases-fixture.ts';

const cases = await forThisFile(startCases({ clock: systemClock }));

const post = (body: unknown, as = PAT) => cases.call('POST', '/api/case-status/bulk', { as, body });

test('bulk search is for pro users', async () => {
  const before = (await cases.calls()).total;
  const error = await errorOf(await post({ receiptNumbers: ['EAC9999103403'] }, ADA));
  expect(error).toMatchObject({
    status: 403,
    code: 'PRO_REQUIRED',
    error: 'Bulk Search is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
  });
  expect((await cases.calls()).total).toBe(before);
});

test('one item per distinct receipt number, in the order asked; a bad one fails alone', async () => {
  const items = await cases.bulk([
    'LIN9999106498',
    'nonsense',
    'eac-9999-103403',
    'EAC1234567895',
    'EAC9999103403',
    'NON SENSE',
    'EAC9999103402',
  ]);
  for (const item of items) expect(bulkResultItem.parse(item)).toEqual(item);
  expect(items).toMatchObject([
    { success: true, receiptNumber: 'LIN9999106498', data: { receiptNumber: 'LIN9999106498' } },
    { success: false, receiptNumber: 'NONSENSE', error: 'Invalid receipt number format', code: 'VALIDATION' },
    { success: true, receiptNumber: 'EAC9999103403', data: { caseStatus: 'Case Was Approved' } },
    { success: false, receiptNumber: 'EAC1234567895', code: 'RECEIPT_NOT_RECOGNIZED' },
    {
      success: false,
      receiptNumber: 'EAC9999103402',
      code: 'AGENCY_UNAVAILABLE',
      requestId: expect.any(String),
    },
  ]);
  expect(items.filter(({ requestId }) => requestId !== undefined)).toHaveLength(1);
  expect((await cases.calls('EAC9999103403')).total).toBe(1);
});

test.each([
  [[], 'Choose at least one receipt number'],
  [Array.from({ length: 11 }, () => 'EAC9999103403'), 'Choose at most 10 receipt numbers at a time'],
])('%j is refused', async (receiptNumbers, error) => {
  expect(await errorOf(await post({ receiptNumbers }))).toMatchObject({ status: 400, error });
});

test('unknown fields and bodies that are no JSON are refused', async () => {
  expect((await post({ receiptNumbers: ['EAC9999103403'], extra: 1 })).status).toBe(400);
  expect((await post('{"receiptNumbers":')).status).toBe(400);
});

test('ten cases go side by side within the budget, and no second holds more calls than allowed', async () => {
  // The first five are held up until all of them are on their way: one after the other, they would never get there.
  let allUnderWay = () => {};
  const fiveUnderWay = new Promise<void>((resolve) => (allUnderWay = resolve));
  const own = await startCases({
    clock: systemClock,
    agency: { callsPerSecond: 5 },
    env: { AGENCY_CALLS_PER_SECOND: '5', BUDGET_WAIT_MS: '60000', AGENCY_TIMEOUT_MS: '30000' },
    holdUp: async (nth) => {
      if (nth === 4) allUnderWay();
      if (nth < 5) await fiveUnderWay;
    },
  });
  const numbers = Array.from({ length: 10 }, (_, index) => `SRC21900001${index}0`);
  const items = await own.bulk(numbers);
  expect(items.map(({ success }) => success)).toEqual(numbers.map(() => true));
  const { total, maxInAnySecond } = await own.calls();
  expect(total).toBe(10);
  expect(maxInAnySecond).toBeLessThanOrEqual(5);
  await own.stop();
}, 60_000);
