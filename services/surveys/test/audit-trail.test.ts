import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EDITOR, type SurveysFixture, startSurveys } from './surveys-fixture.ts';

let surveys: SurveysFixture;
beforeEach(async () => {
  surveys = await startSurveys();
});
afterEach(() => surveys.stop());

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
