import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { errorOf, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
let survey: Survey;
let question: SurveyQuestion;
beforeEach(async () => {
  surveys = await startSurveys();
  const { id } = await surveys.createSurvey({ title: 'Original' });
  question = await surveys.createQuestion(id, { questionType: 'radio', options: ['a', 'b'] });
  survey = await theSurvey();
});
afterEach(() => surveys.stop());

async function theSurvey(): Promise<Survey> {
  const [listed] = await surveys.listed();
  if (!listed) throw new Error('no survey');
  return listed.survey;
}

test('of two edits of the same version, the later one is refused with the current values', async () => {
  const { version } = survey;
  const first = await surveys.admin('PATCH', `surveys/${survey.id}`, { title: 'First', version });
  const second = await surveys.admin('PATCH', `surveys/${survey.id}`, { title: 'Second', version });
  expect(first.status).toBe(200);
  expect(await errorOf(second)).toEqual({
    status: 409,
    code: 'EDIT_CONFLICT',
    error:
      'Another administrator changed this survey, so nothing was saved. Reload it and make your change again.',
    details: expect.arrayContaining([
      { path: 'title', message: 'First' },
      { path: 'isActive', message: 'true' },
      { path: 'version', message: String(version + 1) },
    ]),
  });
  expect((await theSurvey()).title).toBe('First');
});

test('of concurrent edits of one version, one is saved and the others are refused', async () => {
  const { version } = survey;
  const edits = Array.from({ length: 6 }, (_, nth) =>
    surveys.admin('PATCH', `surveys/${survey.id}`, { title: `Edit ${nth}`, version }),
  );
  const statuses = (await Promise.all(edits)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409]);
  expect((await theSurvey()).version).toBe(version + 1);
});

test('edits without a version are all applied, none of them lost', async () => {
  await Promise.all(
    [{ title: 'T' }, { description: 'D' }, { isActive: false }, { loginTrigger: 9 }].map((change) =>
      surveys.admin('PATCH', `surveys/${survey.id}`, change),
    ),
  );
  expect(await theSurvey()).toMatchObject({
    title: 'T',
    description: 'D',
    isActive: false,
    loginTrigger: 9,
    version: survey.version + 4,
  });
});

test('a question can’t be changed, deleted or added under an outdated version', async () => {
  const { version } = survey;
  await surveys.admin('PATCH', `survey-questions/${question.id}`, { options: ['a', 'c'], version });
  const stale = [
    surveys.admin('PATCH', `survey-questions/${question.id}`, { questionText: 'x', version }),
    surveys.admin('DELETE', `survey-questions/${question.id}?version=${version}`),
    surveys.admin('POST', 'survey-questions', { surveyId: survey.id, questionText: 'x', version }),
    surveys.admin('DELETE', `surveys/${survey.id}?version=${version}`),
  ];
  const refused = await Promise.all(stale.map(async (answer) => errorOf(await answer)));
  expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('EDIT_CONFLICT'));
  expect(refused[0]?.details).toContainEqual({ path: 'options', message: 'a\nc' });
  const [listed] = await surveys.listed();
  expect(listed?.questions).toMatchObject([{ questionText: 'Why?', options: ['a', 'c'] }]);
});

test('the right version deletes', async () => {
  const { version } = survey;
  expect((await surveys.admin('DELETE', `survey-questions/${question.id}?version=${version}`)).status).toBe(
    200,
  );
  const answer = await surveys.admin('DELETE', `surveys/${survey.id}?version=${version + 1}`);
  expect(answer.status).toBe(200);
  expect(await surveys.listed()).toEqual([]);
});

test('of two concurrent deletions of a question, one answer says that it no longer exists', async () => {
  const path = `survey-questions/${question.id}`;
  const answers = await Promise.all([surveys.admin('DELETE', path), surveys.admin('DELETE', path)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});
