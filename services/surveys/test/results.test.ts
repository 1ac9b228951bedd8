import { surveyResults } from '@casewatch/contracts/admin-surveys';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newUserId, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
let surveyId: string;
let text: string;
let radio: string;
let checkbox: string;
beforeEach(async () => {
  surveys = await startSurveys();
  surveyId = (await surveys.createSurvey()).id;
  const add = async (question: object) =>
    (await surveys.createQuestion(surveyId, { isRequired: false, ...question })).id;
  text = await add({ questionText: '=HYPERLINK("x")' });
  radio = await add({ questionType: 'radio', options: ['yes', 'no'], questionText: 'Again?' });
  checkbox = await add({ questionType: 'checkbox', options: ['a', 'b', 'c'], questionText: 'What, "else"?' });
});
afterEach(() => surveys.stop());

const respond = (responseText: string, choice: string, choices: string[], userId = newUserId()) =>
  surveys.respond(userId, surveyId, [
    { questionId: text, responseText },
    { questionId: radio, responseOptions: [choice] },
    { questionId: checkbox, responseOptions: choices },
  ]);
async function csvOf(id = surveyId) {
  const answer = await surveys.admin('GET', `surveys/${id}/responses.csv`);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { answer, text: decoder.decode(await answer.arrayBuffer()) };
}

test('results count people, answers and choices', async () => {
  await respond('one', 'yes', ['a', 'b']);
  await respond('two', 'yes', ['b']);
  await respond(' ', 'no', []);
  const [skipper, late] = [newUserId(), newUserId()];
  for (const userId of [skipper, late, late]) await surveys.skip(userId, surveyId);
  await respond('late', 'no', [], late);
  const results = surveyResults.parse(await surveys.results(surveyId));
  expect([results.responseCount, results.skipCount]).toEqual([4, 1]);
  expect(
    results.questions.map(({ question: { id }, answered, options }) => ({ id, answered, options })),
  ).toEqual([
    { id: text, answered: 3, options: [] },
    {
      id: radio,
      answered: 4,
      options: [
        { option: 'yes', count: 2 },
        { option: 'no', count: 2 },
      ],
    },
    {
      id: checkbox,
      answered: 2,
      options: [
        { option: 'a', count: 1 },
        { option: 'b', count: 2 },
        { option: 'c', count: 0 },
      ],
    },
  ]);
});

test('options that were taken out are still counted, and come last', async () => {
  await respond('x', 'yes', ['c', 'a']);
  await surveys.admin('PATCH', `survey-questions/${checkbox}`, { options: ['b', 'd'] });
  const { questions } = await surveys.results(surveyId);
  expect(questions[2]?.options).toEqual([
    { option: 'b', count: 0 },
    { option: 'd', count: 0 },
    { option: 'a', count: 1 },
    { option: 'c', count: 1 },
  ]);
});

test('a survey without responses has zeros, and none of another survey’s', async () => {
  await respond('x', 'yes', ['a']);
  const { surveyId: other } = await surveys.askedSurvey();
  expect(await surveys.results(other)).toMatchObject({
    responseCount: 0,
    skipCount: 0,
    questions: [{ answered: 0, options: [] }],
  });
});

test('texts come newest first, page by page, also of one moment', async () => {
  for (const word of ['1', '2', '3']) await respond(word, 'yes', []);
  await surveys.clock.advance(1_000);
  for (const word of ['4', '5']) await respond(word, 'yes', []);
  await respond('', 'no', []);
  const page = async (query: string) => {
    const answer = await surveys.admin('GET', `survey-questions/${text}/answers?${query}`);
    return (await answer.json()) as { id: string; text: string; createdAt: string }[];
  };
  const all = await page('');
  expect(all.map((answer) => answer.createdAt.slice(17, 19))).toEqual(['01', '01', '00', '00', '00']);
  const paged: string[] = [];
  for (let before: string | undefined, more = true; more; ) {
    const answers = await page(`limit=2${before ? `&before=${before}` : ''}`);
    paged.push(...answers.map((answer) => answer.text));
    before = answers.at(-1)?.id;
    more = answers.length > 0;
  }
  expect(paged).toEqual(all.map((answer) => answer.text));
  expect(new Set(paged)).toEqual(new Set(['1', '2', '3', '4', '5']));
});

test('texts are none of a choice, and all after the end of time', async () => {
  await respond('x', 'yes', ['a']);
  const page = async (id: string, query = '') => {
    const answer = await surveys.admin('GET', `survey-questions/${id}/answers${query}`);
    return (await answer.json()) as unknown;
  };
  expect(await page(radio)).toEqual([]);
  const latest = '?before=ffffffff-ffff-7fff-bfff-ffffffffffff';
  expect(await page(text, latest)).toMatchObject([{ text: 'x' }]);
});

test('texts continue after one whose author has been erased since', async () => {
  const authors = [newUserId(), newUserId(), newUserId()];
  for (const [nth, author] of authors.entries()) {
    await respond(`text ${nth}`, 'yes', [], author);
    await surveys.clock.advance(1_000);
  }
  const page = async (query: string) => {
    const answer = await surveys.admin('GET', `survey-questions/${text}/answers?${query}`);
    return (await answer.json()) as { id: string; text: string }[];
  };
  const [, shownLast] = await page('limit=2');
  expect(shownLast?.text).toBe('text 1');
  await surveys.userDeleted(authors[1] ?? '');
  const rest = await page(`limit=2&before=${shownLast?.id}`);
  expect(rest.map((answer) => answer.text)).toEqual(['text 0']);
});

test('the export has one row a person, in order, and nothing in it is a formula', async () => {
  const [ada, grace] = [newUserId(), newUserId()];
  await surveys.skip(grace, surveyId);
  await respond('=1+1', 'yes', ['a', 'c'], ada);
  await surveys.clock.advance(1_000);
  await respond('two\nlines, "quoted"', 'no', [], grace);
  for (const skipper of [ada, newUserId()]) await surveys.skip(skipper, surveyId);
  const { answer, text: csv } = await csvOf();
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="casewatch-survey-how-is-it-2026-01-05.csv"',
  );
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(csv).toBe(
    [
      // The byte order mark makes spreadsheets read it as UTF-8.
      `\uFEFF"Answered at","User ID","'=HYPERLINK(""x"")","Again?","What, ""else""?"`,
      `"2026-01-05T12:00:00.000Z","${ada}","'=1+1","yes","a; c"`,
      `"2026-01-05T12:00:01.000Z","${grace}","two\nlines, ""quoted""","no",""`,
      '',
    ].join('\r\n'),
  );
});

test('a file is named by letters and digits of the title, and by the date alone where it has none', async () => {
  for (const [title, name] of [
    ['¿Qué tal, "Señora"? / 2026', 'que-tal-senora-2026-'],
    ['どうですか', ''],
    [`${'x'.repeat(59)} and more`, `${'x'.repeat(59)}-`],
    [`${'x'.repeat(70)}`, `${'x'.repeat(60)}-`],
  ]) {
    const { id } = await surveys.createSurvey({ title });
    const { answer } = await csvOf(id);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="casewatch-survey-${name}2026-01-05.csv"`,
    );
  }
});

test('a long export has every person once, also where its pages meet in one moment', async () => {
  await surveys.database.query(
    `INSERT INTO surveys.trackings SELECT md5(n::text)::uuid, $1, $2, 1, true, $2 FROM generate_series(1, 1234) AS n`,
    [surveyId, new Date(surveys.clock.nowMs())],
  );
  await surveys.database.query(
    `INSERT INTO surveys.responses SELECT gen_random_uuid(), $1, $2, md5(n::text)::uuid, 'text ' || n, '{}', now()
     FROM generate_series(1, 1234) AS n`,
    [surveyId, text],
  );
  const rows = (await csvOf()).text.trimEnd().split('\r\n').slice(1);
  expect(rows).toHaveLength(1234);
  expect(new Set(rows.map((row) => row.split(',')[2])).size).toBe(1234);
});

test('an export that fails half-way is cut off instead of looking whole', async () => {
  await respond('x', 'yes', []);
  await surveys.database.query('REVOKE SELECT ON surveys.trackings FROM casewatch_surveys');
  const answer = await surveys.admin('GET', `surveys/${surveyId}/responses.csv`);
  await expect(answer.text()).rejects.toThrow();
});
