import { expect, test } from 'vitest';
import type { AgencyCase } from './agency.ts';
import { toObservationRows } from './case-store.ts';

const OBSERVED_MS = Date.parse('2026-01-05T12:00:00Z');
const RECEIPT_NUMBER = 'EAC9999103403';
const observe = (facts: Partial<AgencyCase>) =>
  toObservationRows(
    {
      receiptNumber: RECEIPT_NUMBER,
      status: 'Case Was Approved',
      statusEs: null,
      history: [],
      isWholeHistory: true,
      modifiedDate: null,
      ...facts,
    } as unknown as AgencyCase,
    { receiptNumber: RECEIPT_NUMBER, callNumber: '7', sentMs: OBSERVED_MS, agoMs: 300 },
  );

test('a status is since the agency’s date of modification, or since the observation where it has none to read', () => {
  expect(observe({ modifiedDate: '09-05-2023 14:28:46' }).snapshot).toMatchObject({
    receiptNumber: 'EAC9999103403',
    callNumber: '7',
    agoMs: 300,
    status: 'Case Was Approved',
    observedAt: '2026-01-05T12:00:00.000Z',
    statusAt: '2023-09-05T14:28:46.000Z',
    statusDate: '09-05-2023 14:28:46',
  });
  for (const modifiedDate of [null, 'soon']) {
    expect(observe({ modifiedDate }).snapshot).toMatchObject({
      statusAt: '2026-01-05T12:00:00.000Z',
      statusDate: modifiedDate,
    });
  }
});

test('what an answer says of the statuses is as of its call', () => {
  const history = [{ status: 'Case Was Received', statusEs: null, date: '2023-09-05' }];
  expect(observe({ history, isWholeHistory: false }).statuses).toEqual({
    status: 'Case Was Approved',
    statusEs: null,
    history,
    isWholeHistory: false,
    observedAtMs: OBSERVED_MS,
  });
});

test('an answer about another case than was asked for is no answer', () => {
  expect(() => observe({ receiptNumber: 'EAC9999103404' })).toThrow('another case');
});
