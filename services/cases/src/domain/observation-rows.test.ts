import { expect, test } from 'vitest';
import type { AgencyCase, CaseAnswer } from './agency.ts';
import { toObservationRows } from './observation-rows.ts';

const OBSERVED_MS = Date.parse('2026-01-05T12:00:00Z');
const LOGGED = { callId: '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11', endedAtMs: OBSERVED_MS + 1_500 };
const answerOf = (facts: Partial<AgencyCase>): CaseAnswer => ({
  status: 'Case Was Approved',
  factsHash: 'facts',
  answerHash: 'text',
  facts: () =>
    ({
      receiptNumber: 'EAC9999103403',
      status: 'Case Was Approved',
      history: [],
      modifiedDate: null,
      ...facts,
    }) as unknown as AgencyCase,
});
const observe = (facts: Partial<AgencyCase>) =>
  toObservationRows('EAC9999103403', answerOf(facts), OBSERVED_MS, undefined);

test('a status is since the agency’s date of modification, or since the observation where it has none to read', () => {
  expect(observe({ modifiedDate: '09-05-2023 14:28:46' }).snapshot()).toMatchObject({
    receiptNumber: 'EAC9999103403',
    status: 'Case Was Approved',
    observedAt: '2026-01-05T12:00:00.000Z',
    statusAt: '2023-09-05T14:28:46.000Z',
    statusDate: '09-05-2023 14:28:46',
  });
  for (const modifiedDate of [null, 'soon']) {
    expect(observe({ modifiedDate }).snapshot()).toMatchObject({
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

test('a check’s row of the log recognizes the answer next time; a user’s does not, and a stored one is not written again', () => {
  const unread = { ...answerOf({}), facts: () => expect.fail('read without need') };
  const rowsOf = (sameAs: CaseAnswer['sameAs'], logged: CaseAnswer['sameAs']) =>
    toObservationRows('EAC9999103403', { ...unread, sameAs }, OBSERVED_MS, logged);
  const recognition = {
    answerHash: 'text',
    answerCallId: LOGGED.callId,
    answerLoggedAt: '2026-01-05T12:00:01.500Z',
  };
  expect(rowsOf(undefined, LOGGED)).toMatchObject({
    status: 'Case Was Approved',
    factsHash: 'facts',
    recognition,
  });
  expect(rowsOf(LOGGED, LOGGED).recognition).toBeUndefined();
  expect(rowsOf(undefined, undefined).recognition).toBeUndefined();
});

test('a snapshot has what recognizes its answer', () => {
  const snapshotOf = (logged?: typeof LOGGED) =>
    toObservationRows('EAC9999103403', answerOf({}), OBSERVED_MS, logged).snapshot();
  expect(snapshotOf(LOGGED)).toMatchObject({
    answerHash: 'text',
    answerCallId: LOGGED.callId,
    answerLoggedAt: '2026-01-05T12:00:01.500Z',
  });
  expect(snapshotOf()).toMatchObject({ answerHash: 'text', answerCallId: null, answerLoggedAt: null });
});
