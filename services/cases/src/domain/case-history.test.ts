import { expect, test } from 'vitest';
import { mergeHistory, type Observation } from './case-history.ts';

const entry = (
  source: Observation['source'],
  status: string,
  date: string | null,
  at = date,
): Observation => ({
  source,
  status,
  statusDate: date,
  statusAtMs: Date.parse(`${at}Z`),
  firstObservedAtMs: Date.parse('2026-01-05T12:00:00Z'),
  lastObservedAtMs: 0,
  withdrawnAtMs: null,
});
const agency = (status: string, date: string) => entry('agency-history', status, date);
const ours = (status: string, date: string | null, at = date) => entry('observed', status, date, at);
const shown = (observations: Observation[]) =>
  mergeHistory(observations).map(({ caseStatus, statusHistDate }) => `${caseStatus} ${statusHistDate}`);

test('newest first, agency and own observations together', () => {
  expect(
    shown([agency('Received', '2023-01-01'), ours('Approved', '2023-03-01'), agency('Asked', '2023-02-01')]),
  ).toEqual(['Approved 2023-03-01', 'Asked 2023-02-01', 'Received 2023-01-01']);
});

test('an observation of ours that the agency lists later is one entry, the agency’s', () => {
  expect(
    shown([
      ours('Received', '2023-01-01T14:00:00'),
      agency('Received', '2023-01-01'),
      ours('Approved', '2023-03-01'),
    ]),
  ).toEqual(['Approved 2023-03-01', 'Received 2023-01-01']);
  expect(shown([ours('Received', null, '2023-02-01'), agency('Received', '2023-01-01')])).toEqual([
    'Received 2023-01-01',
  ]);
});

test('two observations of one stay are shown with the date of its beginning', () => {
  expect(shown([ours('Received', '2023-02-01'), ours('Received', '2023-01-01')])).toEqual([
    'Received 2023-01-01',
  ]);
});

test('an entry of the agency stands next to an older observation of the same stay', () => {
  expect(shown([agency('Received', '2023-02-01'), ours('Received', '2023-01-01')])).toEqual([
    'Received 2023-02-01',
  ]);
});

test('of one moment what was observed last comes first', () => {
  const first = { ...ours('Received', '2023-01-01'), lastObservedAtMs: 1 };
  const second = { ...ours('Approved', '2023-01-01'), lastObservedAtMs: 2 };
  expect(shown([first, second])).toEqual(['Approved 2023-01-01', 'Received 2023-01-01']);
  expect(shown([second, first])).toEqual(['Approved 2023-01-01', 'Received 2023-01-01']);
});

test('a case that comes back to a status has it twice', () => {
  expect(
    shown([ours('Received', '2023-01-01'), ours('Asked', '2023-02-01'), ours('Received', '2023-03-01')]),
  ).toHaveLength(3);
});

test('several statuses of one day, or of days before our observation, are one entry each', () => {
  const seen = (at: string, one: Observation) => ({
    ...one,
    firstObservedAtMs: Date.parse(at),
    lastObservedAtMs: Date.parse(at),
  });
  const ofOneDay = [
    seen('2026-01-05T12:00:00Z', ours('Received', '2026-01-05T10:00:00')),
    seen(
      '2026-01-05T12:00:00Z',
      entry('agency-history', 'Received', '2026-01-05', '2026-01-05T00:00:00.000'),
    ),
    seen('2026-01-05T18:00:00Z', ours('Asked', '2026-01-05T14:00:00')),
    seen('2026-01-05T18:00:00Z', entry('agency-history', 'Asked', '2026-01-05', '2026-01-05T00:00:00.001')),
    seen('2026-01-05T20:00:00Z', ours('Received', '2026-01-05T19:00:00')),
  ];
  expect(shown(ofOneDay)).toEqual([
    'Received 2026-01-05T19:00:00',
    'Asked 2026-01-05',
    'Received 2026-01-05',
  ]);
  const listedLater = [
    seen('2026-01-05T12:00:00Z', agency('Received', '2025-11-01')),
    seen('2026-01-05T12:00:00Z', ours('Received', null, '2026-01-05T12:00:00')),
    seen('2026-01-07T12:00:00Z', ours('Asked', null, '2026-01-07T12:00:00')),
    seen('2026-01-09T12:00:00Z', agency('Asked', '2026-01-04')),
    seen('2026-01-09T12:00:00Z', ours('Approved', null, '2026-01-09T12:00:00')),
  ];
  expect(shown(listedLater)).toEqual(['Approved null', 'Asked 2026-01-04', 'Received 2025-11-01']);
});

test('a status that came back is not taken for the entry that the agency lists of its first time', () => {
  const seen = (nth: number, one: Observation) => ({ ...one, firstObservedAtMs: nth, lastObservedAtMs: nth });
  const first = seen(1, agency('Received', '2026-01-05'));
  const between = entry('agency-history', 'Asked', '2026-01-05', '2026-01-05T00:00:00.001');
  const again = seen(2, ours('Received', '2026-01-05T19:00:00'));
  const all = ['Received 2026-01-05T19:00:00', 'Asked 2026-01-05', 'Received 2026-01-05'];
  expect(shown([first, seen(2, between), again])).toEqual(all);
  // Listed late, while the status that came back continues.
  expect(shown([first, seen(3, between), { ...again, lastObservedAtMs: 3 }])).toEqual(all);
});

test('statuses that the agency lists only after we have seen them all are one entry each', () => {
  const seen = (nth: number, one: Observation) => ({ ...one, firstObservedAtMs: nth, lastObservedAtMs: nth });
  expect(
    shown([
      seen(1, ours('Received', '2026-01-05')),
      seen(2, ours('Asked', '2026-01-07')),
      seen(3, agency('Received', '2026-01-01')),
      seen(3, agency('Asked', '2026-01-03')),
    ]),
  ).toEqual(['Asked 2026-01-03', 'Received 2026-01-01']);
});

test('what the agency lists stays in the order of its days', () => {
  expect(
    shown([agency('Asked', '2023-01-01'), agency('Received', '2023-01-15'), agency('Asked', '2023-02-01')]),
  ).toEqual(['Asked 2023-02-01', 'Received 2023-01-15', 'Asked 2023-01-01']);
});

test('two entries that the agency itself makes of one status stay two', () => {
  expect(shown([agency('Asked', '2023-01-01'), agency('Asked', '2023-02-01')])).toHaveLength(2);
});

test('an entry has the agency’s Spanish, whichever of the two observations of one stay has it', () => {
  const spanish = (observations: Observation[]) => mergeHistory(observations).map(({ textEs }) => textEs);
  const own = ours('Received', '2023-01-01T14:00:00');
  const listed = agency('Received', '2023-01-01');
  const statusEs = 'Recibido';
  expect(spanish([{ ...own, statusEs }, listed])).toEqual([statusEs]);
  expect(spanish([own, { ...listed, statusEs }])).toEqual([statusEs]);
  expect(spanish([own, { ...listed, statusEs: null }])).toEqual([undefined]);
  const newer = ours('Received', '2023-02-01');
  expect(
    spanish([
      { ...newer, statusEs },
      { ...own, statusEs: 'Recibida' },
    ]),
    'the newer of two',
  ).toEqual([statusEs]);
});

test('an entry says whose it is, and since when our checks have met it', () => {
  const labels = (observations: Observation[]) =>
    mergeHistory(observations).map(({ source, firstObservedAt }) => [source, firstObservedAt]);
  const seenAt = '2026-01-05T12:00:00.000Z';
  const earlier = {
    ...ours('Approved', '2023-03-01'),
    firstObservedAtMs: Date.parse('2025-12-01T08:00:00Z'),
  };
  expect(labels([agency('Received', '2023-01-01')])).toEqual([['agency', null]]);
  expect(labels([ours('Received', '2023-01-01')])).toEqual([['observed', seenAt]]);
  expect(labels([ours('Received', '2023-01-01T14:00:00'), agency('Received', '2023-01-01')])).toEqual([
    ['agency', seenAt],
  ]);
  expect(labels([ours('Approved', '2023-04-01'), earlier])).toEqual([
    ['observed', '2025-12-01T08:00:00.000Z'],
  ]);
});
