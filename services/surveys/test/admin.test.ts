import { type AdminSurvey, adminSurvey } from '@casewatch/contracts/admin-surveys';
import { routes } from '@casewatch/contracts/routes';
import { survey, surveyQuestion } from '@casewatch/contracts/surveys';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EDITOR, errorOf, newUserId, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
beforeEach(async () => {
  surveys = await startSurveys();
});
afterEach(() => surveys.stop());

const NOW = '2026-01-05T12:00:00.000Z';

describe('without an admin session', () => {
  const adminRoutes = routes.filter(({ service, access }) => service === 'surveys' && access === 'admin');
  test.each(adminRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s answers 401 and not a byte of data',
    async (_name, { method, path }) => {
      const { surveyId } = await surveys.askedSurvey({ title: 'secret title' });
      const url = path.replaceAll(/:\w+/g, surveyId);
      const body = method === 'POST' || method === 'PATCH' ? { title: 'x' } : undefined;
      const answer = await surveys.call(method, url, { as: { userId: newUserId(), tier: 'pro' }, body });
      const text = await answer.text();
      expect(answer.status).toBe(401);
      expect(text).toContain('ADMIN_REQUIRED');
      expect(text).not.toContain('secret');
      expect(await surveys.listed()).toHaveLength(1);
    },
  );
});

describe('a survey', () => {
  test('is created with its defaults: inactive, by login count 1, no dates', async () => {
    const answer = await surveys.admin('POST', 'surveys', { title: '  Feedback ' });
    expect(answer.status).toBe(201);
    const body = survey.parse(await answer.json());
    expect(body).toEqual({
      id: expect.any(String),
      title: 'Feedback',
      description: null,
      isActive: false,
      startDate: null,
      endDate: null,
      frequency: 'daily',
      loginTrigger: 1,
      createdAt: NOW,
      updatedAt: NOW,
      version: 1,
    });
    expect(await surveys.listed()).toEqual([{ survey: body, questions: [], responseCount: 0 }]);
  });

  test('keeps everything that is given; a day begins with its first moment, UTC', async () => {
    const given = {
      title: 'All',
      description: 'of it',
      isActive: true,
      startDate: '2026-03-01',
      endDate: '2026-03-31T10:00:00+02:00',
      frequency: 'monthly',
      loginTrigger: 7,
    };
    expect(await surveys.createSurvey(given)).toMatchObject({
      ...given,
      startDate: '2026-03-01T00:00:00.000Z',
      endDate: '2026-03-31T08:00:00.000Z',
    });
  });

  test('can begin and end on one day, from 1970 to 9999', async () => {
    for (const day of ['1970-01-01', '9999-12-31']) {
      const given = { startDate: day, endDate: day };
      const moment = `${day}T00:00:00.000Z`;
      expect(await surveys.createSurvey(given)).toMatchObject({ startDate: moment, endDate: moment });
    }
  });

  test('has no description where an empty one is given', async () => {
    const empty = await surveys.createSurvey({ description: '' });
    const emptied = await surveys.createSurvey({ description: 'x' });
    const answer = await surveys.admin('PATCH', `surveys/${emptied.id}`, { description: '' });
    const { description } = (await answer.json()) as { description: unknown };
    expect([empty.description, description]).toEqual([null, null]);
  });

  test.each([
    [{}, 'title', 'Invalid input: expected string, received undefined'],
    [{ title: '' }, 'title', 'Title is required'],
    [{ title: '   ' }, 'title', 'Title is required'],
    [{ title: 'x'.repeat(201) }, 'title', 'Title is too long'],
    [{ title: 'a\0' }, 'title', 'A character can’t be stored.'],
    [{ title: 'x', loginTrigger: 0 }, 'loginTrigger', 'The login number must be at least 1.'],
    [{ title: 'x', loginTrigger: 1.5 }, 'loginTrigger', undefined],
    [{ title: 'x', frequency: 'yearly' }, 'frequency', undefined],
    [{ title: 'x', isActive: 'yes' }, 'isActive', undefined],
    [{ title: 'x', startDate: 'tomorrow' }, 'startDate', undefined],
    [{ title: 'x', endDate: '0001-01-01' }, 'endDate', 'The date must lie between 1970 and 9999.'],
    [
      { title: 'x', endDate: '9999-12-31T23:00:00-01:00' },
      'endDate',
      'The date must lie between 1970 and 9999.',
    ],
    [
      { title: 'x', startDate: '2026-02-02', endDate: '2026-02-01' },
      'endDate',
      'The end date must not be before the start date.',
    ],
    [{ title: 'x', owner: 'me' }, '', undefined],
  ])('with %j is refused', async (body, path, message) => {
    const refused = await errorOf(await surveys.admin('POST', 'surveys', body));
    expect(refused).toMatchObject({ status: 400, code: 'VALIDATION' });
    expect(refused.details?.[0]?.path).toBe(path);
    if (message !== undefined) expect(refused.error).toBe(message);
    expect(await surveys.listed()).toEqual([]);
  });

  test('changes in what is given and in nothing else', async () => {
    const before = await surveys.createSurvey({ description: 'stays', endDate: '2026-02-01' });
    await surveys.clock.advance(1_000);
    const change = { title: 'New', endDate: null, frequency: 'weekly' };
    const answer = await surveys.admin('PATCH', `surveys/${before.id}`, change);
    expect(await answer.json()).toEqual({
      ...before,
      ...change,
      version: 2,
      updatedAt: '2026-01-05T12:00:01.000Z',
    });
  });

  test('an end before the start is refused also when only one of them is changed', async () => {
    const { id } = await surveys.createSurvey({ startDate: '2026-02-01' });
    const refused = await errorOf(await surveys.admin('PATCH', `surveys/${id}`, { endDate: '2026-01-31' }));
    expect(refused).toMatchObject({ status: 400, details: [{ path: 'endDate' }] });
  });

  test('goes with its questions and responses, and says how many people’s', async () => {
    const { surveyId, questionId } = await surveys.askedSurvey();
    for (let nth = 0; nth < 3; nth++) {
      await surveys.respond(newUserId(), surveyId, [{ questionId, responseText: 'x' }]);
    }
    await surveys.skip(newUserId(), surveyId);
    const answer = await surveys.admin('DELETE', `surveys/${surveyId}`);
    expect(await answer.json()).toEqual({ ok: true, deletedResponses: 3 });
    expect((await surveys.audit()).at(-1)).toMatchObject({
      action: 'survey.deleted',
      details: { responses: '3' },
    });
    for (const table of ['surveys', 'questions', 'responses', 'trackings']) {
      expect(await surveys.database.query(`SELECT 1 FROM surveys.${table}`), table).toEqual([]);
    }
  });

  test('is duplicated inactive, with the same questions and no responses', async () => {
    const { surveyId, questionId } = await surveys.askedSurvey({
      // Its second half no longer fits.
      title: `${'x'.repeat(191)}🙂`,
      frequency: 'weekly',
    });
    await surveys.createQuestion(surveyId, { questionType: 'radio', options: ['a'], isRequired: false });
    await surveys.respond(newUserId(), surveyId, [{ questionId, responseText: 'x' }]);
    await surveys.skip(newUserId(), surveyId);
    await surveys.clock.advance(1_000);
    const answer = await surveys.admin('POST', `surveys/${surveyId}/duplicate`);
    expect(answer.status).toBe(201);
    const copy = adminSurvey.parse(await answer.json());
    const createdAt = '2026-01-05T12:00:01.000Z';
    const made = { createdAt, updatedAt: createdAt, version: 1 };
    expect(copy.survey).toMatchObject({ isActive: false, frequency: 'weekly', ...made });
    expect(copy.survey.title).toBe(`Copy of ${'x'.repeat(191)}\uFFFD`);
    expect((await surveys.audit()).at(-1)).toMatchObject({
      action: 'survey.duplicated',
      subject: `survey:${copy.survey.id}`,
      details: { title: copy.survey.title, original: surveyId },
    });
    expect(
      copy.questions.map(({ questionText, options, isRequired }) => [questionText, options, isRequired]),
    ).toEqual([
      ['Why?', [], true],
      ['Why?', ['a'], false],
    ]);
    const listed = await surveys.listed();
    expect(listed.map(({ responseCount }) => responseCount).sort()).toEqual([0, 1]);
    expect(new Set(listed.flatMap(({ questions }) => questions.map(({ id }) => id))).size).toBe(4);
  });

  test('lists come newest first, with the questions in their order', async () => {
    for (const title of ['old', 'new']) {
      const { surveyId } = await surveys.askedSurvey({ title });
      await surveys.clock.advance(1_000);
      await surveys.createQuestion(surveyId, { questionText: 'behind it', orderIndex: 0 });
      await surveys.createQuestion(surveyId, { questionText: 'last' });
      await surveys.clock.advance(1_000);
    }
    const listed = await surveys.listed();
    expect(listed.map(({ survey: { title } }) => title)).toEqual(['new', 'old']);
    expect(listed[0]?.questions.map(({ questionText }) => questionText)).toEqual([
      'Why?',
      'behind it',
      'last',
    ]);
    const { questions } = await surveys.results(listed[0]?.survey.id ?? '');
    expect(questions.map(({ question }) => question)).toEqual(listed[0]?.questions);
  });
});

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

test.each([
  ['PATCH', 'surveys/:id', { title: 'x' }],
  ['DELETE', 'surveys/:id', undefined],
  ['POST', 'surveys/:id/duplicate', undefined],
  ['GET', 'surveys/:id/results', undefined],
  ['GET', 'surveys/:id/responses.csv', undefined],
  ['PATCH', 'survey-questions/:id', { questionText: 'x' }],
  ['DELETE', 'survey-questions/:id', undefined],
  ['GET', 'survey-questions/:id/answers', undefined],
  ['POST', 'survey-questions', { surveyId: newUserId(), questionText: 'x' }],
])('%s %s of what is not there answers 404', async (method, path, body) => {
  const answer = await surveys.admin(method, path.replace(':id', newUserId()), body);
  expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await surveys.audit()).toEqual([]);
});

describe('the audit trail', () => {
  test('records actor, action, address and the previous values', async () => {
    const description = 'y'.repeat(200);
    const survey = await surveys.createSurvey({ title: 'Old', description, isActive: false });
    await surveys.admin('PATCH', `surveys/${survey.id}`, {
      title: 'New',
      description: 'x'.repeat(300),
      startDate: '2026-01-01',
    });
    const question = await surveys.createQuestion(survey.id, { questionType: 'radio', options: ['a', 'b'] });
    await surveys.admin('PATCH', `survey-questions/${question.id}`, {
      options: ['a', 'c'],
      isRequired: false,
    });
    await surveys.admin('DELETE', `survey-questions/${question.id}`);
    await surveys.admin('GET', `surveys/${survey.id}/responses.csv`);
    await surveys.admin('DELETE', `surveys/${survey.id}`);
    const entry = (action: string, subject: string, details: Record<string, string>) => ({
      action,
      subject,
      success: true,
      sessionId: EDITOR,
      actor: 'passcode',
      role: 'owner',
      address: '198.51.100.0/24',
      details,
    });
    const ofSurvey = `survey:${survey.id}`;
    const ofQuestion = `question:${question.id}`;
    const about = { survey: survey.id };
    expect(await surveys.audit()).toEqual([
      entry('survey.created', ofSurvey, {
        title: 'Old',
        description,
        isActive: 'false',
        frequency: 'daily',
        loginTrigger: '1',
      }),
      entry('survey.changed', ofSurvey, {
        title: 'Old → New',
        description: `${description} → ${'x'.repeat(200)}…`,
        startDate: '(none) → 2026-01-01T00:00:00.000Z',
      }),
      entry('question.created', ofQuestion, {
        ...about,
        questionText: 'Why?',
        questionType: 'radio',
        options: 'a | b',
        orderIndex: '0',
        isRequired: 'true',
      }),
      entry('question.changed', ofQuestion, {
        ...about,
        options: 'a | b → a | c',
        isRequired: 'true → false',
      }),
      entry('question.deleted', ofQuestion, { ...about, questionText: 'Why?', answers: '0' }),
      entry('survey.exported', ofSurvey, { title: 'New' }),
      entry('survey.deleted', ofSurvey, { title: 'New', responses: '0' }),
    ]);
  });

  test('has no entry for a change that changes nothing, which makes no new version either', async () => {
    const { surveyId, questionId } = await surveys.askedSurvey({ title: 'Same', endDate: '2026-02-01' });
    const before = await surveys.listed();
    const entries = (await surveys.audit()).length;
    const [{ survey, questions }] = before as [AdminSurvey];
    const same = { title: 'Same', endDate: '2026-02-01', version: survey.version };
    expect(await (await surveys.admin('PATCH', `surveys/${surveyId}`, same)).json()).toEqual(survey);
    const asBefore = await surveys.admin('PATCH', `survey-questions/${questionId}`, { questionText: 'Why?' });
    expect(await asBefore.json()).toEqual(questions[0]);
    expect(await surveys.audit()).toHaveLength(entries);
    expect(await surveys.listed()).toEqual(before);
  });
});
