import { adminSurvey } from '@casewatch/contracts/admin-surveys';
import { routes } from '@casewatch/contracts/routes';
import { survey } from '@casewatch/contracts/surveys';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errorOf, newUserId, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

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
    [{ title: 'a\0' }, 'title', 'A character can’t be saved.'],
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
