import { expect, test } from 'vitest';
import type { AgencyCase } from './agency.ts';
import { toObservationRows } from './observation-rows.ts';

const OBSERVED_MS = Date.parse('2026-01-05T12:00:00Z');
const observe = (answer: Partial<AgencyCase>) =>
  toObservationRows(
    {
      receiptNumber: 'EAC9999103403',
      status: 'Case Was Approved',
      history: [],
      modifiedDate: null,
      ...answer,
    } as AgencyCase,
    OBSERVED_MS,
  );

test('a status is since the agency’s date of modification, or since the observation where it has none to read', () => {
  expect(observe({ modifiedDate: '09-05-2023 14:28:46' }).snapshot).toMatchObject({
    receiptNumber: 'EAC9999103403',
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

test('entries of one day keep the agency’s order, counted from the oldest; those without a date come first', () => {
  const entry = (status: string, date: string | null) => ({ status, statusEs: `${status} (es)`, date });
  const rows = observe({
    history: [
      entry('Third', '2023-09-05'),
      entry('Second', '2023-09-05'),
      entry('First', '2023-09-05'),
      entry('Later unknown', null),
      entry('Unknown', 'soon'),
    ],
  }).history();
  expect(rows.map(({ status, statusAt, statusDate }) => [status, statusAt, statusDate])).toEqual([
    ['Unknown', '1970-01-01T00:00:00.000Z', 'soon'],
    ['Later unknown', '1970-01-01T00:00:00.001Z', null],
    ['First', '2023-09-05T00:00:00.000Z', '2023-09-05'],
    ['Second', '2023-09-05T00:00:00.001Z', '2023-09-05'],
    ['Third', '2023-09-05T00:00:00.002Z', '2023-09-05'],
  ]);
  expect(rows[0]).toMatchObject({ receiptNumber: 'EAC9999103403', statusEs: 'Unknown (es)' });
});

test('answers have the same hash when they say the same, history included', () => {
  const entry = { status: 'First', statusEs: null, date: '2023-09-05' };
  const hashOf = (answer: Partial<AgencyCase>) => observe(answer).snapshot.factsHash;
  expect(hashOf({ history: [{ ...entry }] })).toBe(hashOf({ history: [{ ...entry }] }));
  const others = [
    {},
    { history: [entry] },
    { history: [{ ...entry, statusEs: 'Primero' }] },
    { description: 'Another text' },
  ];
  expect(new Set(others.map(hashOf)).size).toBe(others.length);
  // SHA-1 in Base64.
  expect(hashOf({})).toMatch(/^[\w+/]{27}=$/);
});
