import { foldStatus } from '@casewatch/contracts/fold-status';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAgencyDate } from './agency.ts';
import { mergeHistory } from './case-history.ts';
import { type AnsweredStatuses, recordAnswer, type StoredObservation } from './record-answer.ts';

type Sent = AnsweredStatuses['history'][number];
const DAY_MS = 86_400_000;
const BEGIN_MS = Date.parse('2026-01-05T12:00:00Z');

/** `Received 2026-01-01`; without a date there is none. */
const sent = (text: string): Sent => {
  const [, status = text, date = null] = /^(.*?)(?: (\d.*))?$/.exec(text) ?? [];
  return { status, statusEs: null, date };
};

/** The answer of the nth day, newest entry first. */
const answer = (nth: number, history: Sent[], facts: Partial<AnsweredStatuses> = {}): AnsweredStatuses => ({
  status: 'Now',
  statusEs: null,
  statusAtMs: BEGIN_MS,
  statusDate: null,
  observedAtMs: BEGIN_MS + nth * DAY_MS,
  history,
  isWholeHistory: true,
  ...facts,
});

function record(stored: readonly StoredObservation[], answered: AnsweredStatuses): StoredObservation[] {
  const rows = new Map(stored.map((row) => [row.entry, row]));
  for (const row of recordAnswer(stored, answered)) rows.set(row.entry, row);
  return [...rows.values()];
}

/** What the timeline shows of the agency's entries after these answers, newest first. */
function timelineAfter(...histories: string[][]): string[] {
  const stored = histories.reduce<StoredObservation[]>(
    (rows, history, nth) => record(rows, answer(nth, history.map(sent))),
    [],
  );
  return mergeHistory(stored)
    .filter(({ caseStatus }) => caseStatus !== 'Now')
    .map(({ caseStatus, statusHistDate, withdrawnAt }) =>
      [caseStatus, statusHistDate, withdrawnAt && `withdrawn ${withdrawnAt.slice(0, 10)}`]
        .filter(Boolean)
        .join(' '),
    );
}

test.each([
  [
    'an older one of the same day is added',
    [['Asked 2026-01-01'], ['Asked 2026-01-01', 'Received 2026-01-01']],
    ['Asked 2026-01-01', 'Received 2026-01-01'],
  ],
  [
    'two of a day change places',
    [
      ['Asked 2026-01-01', 'Received 2026-01-01'],
      ['Received 2026-01-01', 'Asked 2026-01-01'],
    ],
    ['Received 2026-01-01', 'Asked 2026-01-01'],
  ],
  ['a date is corrected', [['Received 2026-01-01'], ['Received 2025-12-30']], ['Received 2025-12-30']],
  [
    'one of two dates is corrected',
    [
      ['Asked 2026-01-09', 'Asked 2026-01-01'],
      ['Asked 2026-01-09', 'Asked 2026-01-02'],
    ],
    ['Asked 2026-01-09', 'Asked 2026-01-02'],
  ],
  [
    'a time of day is added',
    [['Received 2026-01-01'], ['Received 2026-01-01 14:28:46']],
    ['Received 2026-01-01 14:28:46'],
  ],
  [
    'a date is written in another way',
    [['Received 2026-01-01'], ['Received 01-01-2026 14:28:46']],
    ['Received 01-01-2026 14:28:46'],
  ],
  [
    'a title is written in another way',
    [["Response To USCIS' Request 2026-01-01"], ['RESPONSE  to USCIS’ request. 2026-01-01']],
    ['RESPONSE  to USCIS’ request. 2026-01-01'],
  ],
  ['a date is lost', [['Received 2026-01-01'], ['Received']], ['Received 2026-01-01']],
  ['a date comes to be read', [['Received'], ['Received 2026-01-01']], ['Received 2026-01-01']],
  [
    'of two times of a day the first is withdrawn',
    [['Asked 2026-01-01 14:00:00', 'Asked 2026-01-01 10:00:00'], ['Asked 2026-01-01 14:00:00']],
    ['Asked 2026-01-01 14:00:00', 'Asked 2026-01-01 10:00:00 withdrawn 2026-01-06'],
  ],
  [
    'one is withdrawn',
    [['Asked 2026-01-02', 'Received 2026-01-01'], ['Received 2026-01-01']],
    ['Asked 2026-01-02 withdrawn 2026-01-06', 'Received 2026-01-01'],
  ],
  [
    'one stays withdrawn',
    [['Asked 2026-01-02', 'Received 2026-01-01'], ['Received 2026-01-01'], ['Received 2026-01-01']],
    ['Asked 2026-01-02 withdrawn 2026-01-06', 'Received 2026-01-01'],
  ],
  ['one comes back', [['Asked 2026-01-02'], [], ['Asked 2026-01-02']], ['Asked 2026-01-02']],
  ['one comes back without its date', [['Asked 2026-01-02'], [], ['Asked']], ['Asked 2026-01-02']],
  [
    'one comes back with an unreadable date',
    [['Asked 2026-01-02'], [], ['Asked 2026-02-30']],
    ['Asked 2026-01-02'],
  ],
  ['one without a date comes back with it', [['Asked'], [], ['Asked 2026-01-02']], ['Asked 2026-01-02']],
  ['one without a date comes back', [['Asked'], [], ['Asked']], ['Asked']],
  [
    'two of a title come back, one of them without its date',
    [['Asked 2026-01-03', 'Asked 2026-01-02'], [], ['Asked', 'Asked 2026-01-03']],
    ['Asked 2026-01-03', 'Asked 2026-01-02'],
  ],
  [
    'one comes back next to another of its title',
    [['Asked 2026-01-02'], ['Asked 2026-01-03'], ['Asked 2026-01-03', 'Asked 2026-01-02']],
    ['Asked 2026-01-03', 'Asked 2026-01-02'],
  ],
  [
    'another one of a title comes after a withdrawal',
    [['Asked 2026-01-02'], [], ['Asked 2026-03-02']],
    ['Asked 2026-03-02', 'Asked 2026-01-02 withdrawn 2026-01-06'],
  ],
  [
    'the same is listed twice',
    [['Asked 2026-01-02'], ['Asked 2026-01-02', 'Asked 2026-01-02']],
    ['Asked 2026-01-02', 'Asked 2026-01-02'],
  ],
])('entries never double: %s', (_name, histories, timeline) => {
  expect(timelineAfter(...histories)).toEqual(timeline);
});

test.each([
  ['of its day', ['Asked 2026-01-05', 'Received 2026-01-05'], '2026-01-04'],
  ['as near to it', ['Asked 2026-01-06', 'Received 2026-01-05'], '2026-01-04'],
])(
  'an entry stays itself where its date is corrected and another of its title is added %s',
  (_, first, date) => {
    const [asked = '', received = ''] = first;
    const before = record([], answer(0, [sent(asked), sent(received)]));
    const entryOf = (rows: readonly StoredObservation[], status: string, statusDate: string) =>
      rows.find((row) => row.status === status && row.statusDate === statusDate)?.entry;
    const after = record(
      before,
      answer(1, [sent('Received 2026-01-06'), sent(asked), sent(`Received ${date}`)]),
    );
    expect(entryOf(after, 'Received', date)).toBe(entryOf(before, 'Received', '2026-01-05'));
  },
);

/** What an answer says: the current status, and what it lists; null where that could not be read. */
type Answer = [status: string, history: string[] | null];

test.each<{ name: string; answers: Answer[]; dates: (string | null)[] }>([
  {
    name: 'of an entry that was first listed when the next status was seen',
    answers: [
      ['Asked', []],
      ['Received', ['Asked 2026-01-05']],
      ['Asked', null],
      ['Received', ['Asked 2026-01-05', 'Received 2026-01-05', 'Asked 2026-01-04']],
    ],
    dates: [null, '2026-01-05', '2026-01-05', '2026-01-04'],
  },
  {
    name: 'of an entry that was first listed when the next status was seen again',
    answers: [
      ['Asked', []],
      ['Received', null],
      ['Received', ['Asked 2026-01-05']],
      ['Asked', null],
      ['Received', ['Asked 2026-01-05', 'Received 2026-01-05', 'Asked 2026-01-03']],
    ],
    dates: [null, '2026-01-05', '2026-01-05', '2026-01-03'],
  },
  {
    name: 'of two entries of different titles',
    answers: [
      ['Received', ['Received 2026-01-03']],
      ['Asked', ['Asked 2026-01-03', 'Received 2026-01-03']],
      ['Received', null],
      ['Asked', ['Asked 2026-01-05', 'Received 2026-01-05', 'Asked 2026-01-01', 'Received 2026-01-01']],
    ],
    dates: ['2026-01-05', '2026-01-05', '2026-01-01', '2026-01-01'],
  },
  {
    name: 'of the later one of two of a title and a day',
    answers: [
      ['Received', ['Received 2026-01-02']],
      ['Asked', ['Asked 2026-01-02', 'Received 2026-01-02']],
      ['Received', ['Received 2026-01-02', 'Asked 2026-01-02', 'Received 2026-01-02']],
      ['Asked', ['Asked 2026-01-04', 'Received 2026-01-03', 'Asked 2026-01-02', 'Received 2026-01-02']],
    ],
    dates: ['2026-01-04', '2026-01-03', '2026-01-02', '2026-01-02'],
  },
])('a corrected date adds no stay to the timeline: $name', ({ answers, dates }) => {
  const stored = answers.reduce<StoredObservation[]>((rows, [status, history], nth) => {
    const began = answers.slice(0, nth).findLastIndex(([before]) => before !== status) + 1;
    return record(
      rows,
      answer(nth / 24, history?.map(sent) ?? [], {
        status,
        statusAtMs: BEGIN_MS + (began * DAY_MS) / 24,
        isWholeHistory: history !== null,
      }),
    );
  }, []);
  expect(mergeHistory(stored).map(({ statusHistDate }) => statusHistDate)).toEqual(dates);
});

test('the same answer again changes nothing after a corrected date of an entry whose day has others at other times', () => {
  const answers = [
    ['Asked 2026-01-02'],
    ['Asked 2026-01-01 10:00:00', 'Asked 2026-01-01 14:00:00', 'Asked 2026-01-01 10:00:00'],
    ['Asked 2026-01-01 10:00:00', 'Asked', 'Asked 2026-01-02'],
  ].map((history, nth) => answer(nth, history.map(sent), { isWholeHistory: false }));
  const stored = answers.reduce(record, [] as StoredObservation[]);
  expect(recordAnswer(stored, answers.at(-1) ?? expect.fail())).toEqual([]);
});

test('the same answer again changes nothing after entries came back without their dates', () => {
  const answers = [['Asked 2026-01-02', 'Asked'], [], ['ASKED', 'Asked']].map((history, nth) =>
    answer(nth, history.map(sent)),
  );
  const stored = answers.reduce(record, [] as StoredObservation[]);
  expect(recordAnswer(stored, answers.at(-1) ?? expect.fail())).toEqual([]);
});

test('the same answer again changes nothing after an entry has left its row to an older one', () => {
  const answers = [
    ['Asked 2026-01-02', 'Asked 2026-01-02', 'Now 2026-01-02'],
    [],
    ['ASKED 2026-01-02', 'Asked', 'Now 2026-01-01', 'ASKED 2026-01-01'],
  ].map((history, nth) => answer(nth, history.map(sent)));
  const stored = answers.reduce(record, [] as StoredObservation[]);
  expect(recordAnswer(stored, answers.at(-1) ?? expect.fail())).toEqual([]);
});

test('a history that could not be read whole withdraws nothing', () => {
  const first = record([], answer(0, [sent('Asked 2026-01-02'), sent('Received 2026-01-01')]));
  const cut = { isWholeHistory: false };
  expect(recordAnswer(first, answer(0, [sent('Received 2026-01-01')], cut))).toEqual([]);
  expect(recordAnswer(first, answer(0, [], cut))).toEqual([]);
});

test('entries of one day keep the agency’s order, counted from the oldest; those without a date come first', () => {
  const history = ['Third 2023-09-05', 'Second 2023-09-05 14:00:00', 'First 2023-09-05', 'Later', 'Unknown'];
  const rows = recordAnswer([], answer(0, history.map(sent))).slice(1);
  expect(rows.map(({ status, statusAtMs }) => [status, new Date(statusAtMs).toISOString()])).toEqual([
    ['Unknown', '1970-01-01T00:00:00.000Z'],
    ['Later', '1970-01-01T00:00:00.001Z'],
    ['First', '2023-09-05T00:00:00.000Z'],
    ['Second', '2023-09-05T14:00:00.000Z'],
    ['Third', '2023-09-05T14:00:00.001Z'],
  ]);
});

test('a stay that continues is one observation, with the newest text and the translation that it had', () => {
  const first = record([], answer(0, [], { status: 'Case Was Received', statusEs: 'Recibido' }));
  const second = record(first, answer(1, [], { status: 'CASE WAS RECEIVED.' }));
  expect(second).toEqual([
    {
      ...first[0],
      status: 'CASE WAS RECEIVED.',
      statusEs: 'Recibido',
      lastObservedAtMs: BEGIN_MS + DAY_MS,
    },
  ]);
  const third = record(second, answer(2, [], { status: 'Asked', statusAtMs: BEGIN_MS + 2 * DAY_MS }));
  expect(third.map(({ status }) => status)).toEqual(['CASE WAS RECEIVED.', 'Asked']);
});

test('an entry keeps the translation that it had, and gets a new one', () => {
  const inSpanish = (statusEs: string | null) => [{ ...sent('Received 2026-01-01'), statusEs }];
  const first = record([], answer(0, inSpanish('Recibido')));
  expect(record(first, answer(1, inSpanish(null)))[1]).toMatchObject({ statusEs: 'Recibido' });
  expect(record(first, answer(1, inSpanish('Recibida')))[1]).toMatchObject({ statusEs: 'Recibida' });
});

const TITLES = ['Received', 'RECEIVED.', 'Asked', ' asked', 'Case Was Pre-Approved', 'Case was pre–approved'];
const DATES = [
  ...['2026-01-01', '01-01-2026 10:00:00', '2026-01-01 14:00:00', '2026-01-02', '2026-02-30', 'soon'],
  null,
];
const history = fc.array(
  fc.record({
    status: fc.constantFrom(...TITLES),
    statusEs: fc.constantFrom(null, 'Recibido'),
    date: fc.constantFrom(...DATES),
  }),
  { maxLength: 6 },
);
const story = fc.array(
  fc.record({ history, status: fc.constantFrom(...TITLES), isWholeHistory: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);
type Story = typeof story extends fc.Arbitrary<infer One> ? One : never;
const answersOf = (steps: Story) =>
  steps.map(({ history: list, ...facts }, nth) =>
    answer(nth, list, { ...facts, statusAtMs: BEGIN_MS + nth * DAY_MS }),
  );
const afterAnswers = (answers: AnsweredStatuses[]) => answers.reduce(record, [] as StoredObservation[]);

test('whatever came before, the same answer again changes nothing', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const answers = answersOf(steps);
      const stored = afterAnswers(answers);
      expect(recordAnswer(stored, answers.at(-1) ?? expect.fail())).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('whatever came before, the entries of an answer in any other order do not grow the timeline', () => {
  const shuffled = story.chain((steps) =>
    fc.tuple(
      fc.constant(steps),
      fc.shuffledSubarray(steps.at(-1)?.history ?? [], { minLength: steps.at(-1)?.history.length ?? 0 }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([steps, other]) => {
      const answers = answersOf(steps);
      const stored = afterAnswers(answers);
      const again = record(stored, { ...(answers.at(-1) ?? expect.fail()), history: other });
      expect(again).toHaveLength(stored.length);
      expect(mergeHistory(again).length).toBeLessThanOrEqual(stored.length);
      expect(again.filter(({ withdrawnAtMs }) => withdrawnAtMs !== null)).toHaveLength(
        stored.filter(({ withdrawnAtMs }) => withdrawnAtMs !== null).length,
      );
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is withdrawn, loses its date or comes back, an entry of the agency stays one', () => {
  const entries = ['Asked 2026-01-04', 'Received 2026-01-03', 'Asked 2026-01-02', 'Transferred 2026-01-01'];
  const listed = fc.tuple(...entries.map(() => fc.constantFrom('dated', 'without a date', 'withdrawn')));
  fc.assert(
    fc.property(fc.array(listed, { minLength: 1, maxLength: 6 }), (lists) => {
      const answers = lists.map((list, nth) => {
        const dated = entries.flatMap((entry, at) => (list[at] === 'dated' ? [sent(entry)] : []));
        const undated = entries.flatMap((entry, at) =>
          list[at] === 'without a date' ? [{ ...sent(entry), date: null }] : [],
        );
        return answer(nth, [...dated, ...undated]);
      });
      const agency = afterAnswers(answers).filter(({ source }) => source === 'agency-history');
      const listedOnce = entries.filter((_, at) => lists.some((list) => list[at] !== 'withdrawn'));
      for (const [title, count] of countBy(agency.map(({ status }) => status))) {
        expect(count, title).toBeLessThanOrEqual(listedOnce.filter((one) => one.startsWith(title)).length);
      }
    }),
    { numRuns: 2_000 },
  );
});

const dayOf = (date: string | null) => {
  const ms = date === null ? undefined : parseAgencyDate(date);
  return ms === undefined ? 'none' : new Date(ms).toISOString().slice(0, 10);
};
const keyOf = (status: string, date: string | null) => `${foldStatus(status)} ${dayOf(date)}`;
const countBy = (keys: string[]) =>
  new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));

test('no title has more entries of a day than the agency ever listed of it, except what was observed', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const answers = answersOf(steps);
      const most = new Map<string, number>();
      for (const { history: list } of answers)
        for (const [key, count] of countBy(list.map(({ status, date }) => keyOf(status, date))))
          most.set(key, Math.max(count, most.get(key) ?? 0));
      const stored = afterAnswers(answers);
      const listed = stored.filter(({ source }) => source === 'agency-history');
      for (const [key, count] of countBy(listed.map((one) => keyOf(one.status, one.statusDate))))
        expect(count, key).toBeLessThanOrEqual(most.get(key) ?? 0);
      const shown = mergeHistory(stored);
      expect(shown.filter(({ source }) => source === 'agency')).toHaveLength(listed.length);
      expect(shown.length).toBeLessThanOrEqual(stored.length);
    }),
    { numRuns: 2_000 },
  );
});

test('what the agency lists now is not withdrawn, and whatever else is stored of a whole list is', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const answers = answersOf(steps);
      const last = answers.at(-1) ?? expect.fail();
      const rows = afterAnswers([...answers, { ...last, isWholeHistory: true }]);
      const listed = rows.filter((one) => one.source === 'agency-history' && one.withdrawnAtMs === null);
      const titles = (all: { status: string }[]) => all.map(({ status }) => status).sort();
      expect(titles(listed)).toEqual(titles(last.history));
    }),
    { numRuns: 2_000 },
  );
});
