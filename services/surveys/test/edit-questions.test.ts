import { surveyQuestion } from '@casewatch/contracts/surveys';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorOf, newUserId, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
beforeEach(async () => {
  surveys = await startSurveys();
});
afterEach(() => surveys.stop());

const NOW = '2026-01-05T12:00:00.000Z';

describe('a question', () => {
  test('is created with its defaults: text, required, behind the others', async () => {
    const { surveyId } = await surveys.askedSurvey();
    const answer = await surveys.admin('POST', 'survey-questions', { surveyId, questionText: ' Why? ' });
    expect(answer.status).toBe(201);
    expect(surveyQuestion.parse(await answer.json())).toEqual({
      id: expect.any(String),
      surveyId,
      questionText: 'Why?',
      questionType: 'text',
      options: [],
      orderIndex: 1,
      isRequired: true,
      createdAt: NOW,
    });
  });

  test('that the database refuses is an error, and neither audited nor a new version', async () => {
    const { surveyId } = await surveys.askedSurvey();
    const before = await surveys.listed();
    await surveys.forgetPublished();
    await surveys.database.query('REVOKE INSERT ON surveys.questions FROM casewatch_surveys');
    const answer = await surveys.admin('POST', 'survey-questions', { surveyId, questionText: 'Why?' });
    expect(answer.status).toBe(500);
    expect(await surveys.published()).toEqual([]);
    expect(await surveys.listed()).toEqual(before);
  });

  test('changes in what is given and in nothing else', async () => {
    const { id } = await surveys.createSurvey();
    const before = await surveys.createQuestion(id, { questionType: 'radio', options: ['a'] });
    for (const change of [
      { questionText: 'And?' },
      { options: ['b'] },
      { orderIndex: 3 },
      { isRequired: false },
    ]) {
      const answer = await surveys.admin('PATCH', `survey-questions/${before.id}`, change);
      expect(await answer.json()).toEqual(Object.assign(before, change));
    }
    expect((await surveys.listed())[0]?.questions).toEqual([before]);
  });

  test('keeps options only where one can choose, each once, in their order', async () => {
    const { id } = await surveys.createSurvey();
    const options = ['b', ' a ', 'b'];
    const radio = await surveys.createQuestion(id, { questionType: 'radio', options });
    expect(radio.options).toEqual(['b', 'a']);
    expect((await surveys.createQuestion(id, { questionType: 'text', options })).options).toEqual([]);
    const changed = await surveys.admin('PATCH', `survey-questions/${radio.id}`, { questionType: 'text' });
    expect(((await changed.json()) as { options: string[] }).options).toEqual([]);
  });

  test.each([
    [{}, 'questionText', undefined],
    [{ questionText: ' ' }, 'questionText', 'Question text is required'],
    [{ questionText: 'x', questionType: 'date' }, 'questionType', undefined],
    [{ questionText: 'x', orderIndex: -1 }, 'orderIndex', 'The order starts at 0.'],
    [{ questionText: 'x', questionType: 'radio' }, 'options', 'Add at least one option.'],
    [{ questionText: 'x', questionType: 'checkbox', options: [] }, 'options', 'Add at least one option.'],
    [
      { questionText: 'x', questionType: 'radio', options: ['a', ' '] },
      'options.1',
      'An option may not be empty.',
    ],
  ])('with %j is refused', async (body, path, message) => {
    const { id: surveyId } = await surveys.createSurvey();
    const refused = await errorOf(await surveys.admin('POST', 'survey-questions', { surveyId, ...body }));
    expect(refused).toMatchObject({ status: 400, code: 'VALIDATION' });
    expect(refused.details?.[0]?.path).toBe(path);
    if (message !== undefined) expect(refused.error).toBe(message);
    expect((await surveys.listed())[0]?.questions).toEqual([]);
  });

  test('the hundred and first of a survey is refused', async () => {
    const { id: surveyId } = await surveys.createSurvey();
    await surveys.database.query(
      `INSERT INTO surveys.questions SELECT gen_random_uuid(), $1, 'x', 'text', '{}', n, true, now()
       FROM generate_series(1, 99) AS n`,
      [surveyId],
    );
    await surveys.createQuestion(surveyId);
    const refused = await surveys.admin('POST', 'survey-questions', { surveyId, questionText: 'x' });
    expect((await errorOf(refused)).error).toBe('A survey can have at most 100 questions.');
  });

  test('that people have answered does not turn from a text into a choice, nor back', async () => {
    const { surveyId, questionId } = await surveys.askedSurvey();
    const radio = await surveys.createQuestion(surveyId, {
      questionType: 'radio',
      options: ['a', 'b'],
      isRequired: false,
    });
    const answers = [
      { questionId, responseText: 'x' },
      { questionId: radio.id, responseOptions: ['a'] },
    ];
    await surveys.respond(newUserId(), surveyId, answers);
    await surveys.respond(newUserId(), surveyId, answers.slice(0, 1));
    const change = (id: string, questionType: string) =>
      surveys.admin('PATCH', `survey-questions/${id}`, { questionType, options: ['a', 'b'] });
    for (const [refused, people] of [
      [change(questionId, 'radio'), '2 people have'],
      [change(radio.id, 'text'), '1 person has'],
    ] as const) {
      expect(await errorOf(await refused)).toMatchObject({
        status: 400,
        error: `${people} answered this question, which would not fit the new type. Add a new question instead.`,
        details: [{ path: 'questionType' }],
      });
    }
    expect((await change(radio.id, 'checkbox')).status).toBe(200);
    const { questions } = await surveys.results(surveyId);
    expect(questions.map(({ answered }) => answered)).toEqual([2, 1]);
  });

  test('goes with its answers, and leaves the others', async () => {
    const { surveyId, questionId } = await surveys.askedSurvey();
    const other = await surveys.createQuestion(surveyId);
    const answers = [questionId, other.id].map((id) => ({ questionId: id, responseText: 'x' }));
    await surveys.respond(newUserId(), surveyId, answers);
    const answer = await surveys.admin('DELETE', `survey-questions/${questionId}`);
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    expect((await surveys.audit()).at(-1)?.details).toMatchObject({ answers: '1' });
    expect(await surveys.results(surveyId)).toMatchObject({
      responseCount: 1,
      questions: [{ question: { id: other.id }, answered: 1 }],
    });
  });
});
