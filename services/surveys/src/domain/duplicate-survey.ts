import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import { SURVEY_TITLE_MAX_LENGTH } from '@casewatch/contracts/limits';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { type Editor, record } from './edit.ts';
import { surveyGone } from './refusals.ts';
import type { SurveysService } from './surveys-service.ts';

/** A new inactive survey with the same settings and questions. @throws AppError NOT_FOUND */
export async function duplicateSurvey(
  { store, clock }: SurveysService,
  editor: Editor,
  id: string,
): Promise<AdminSurvey> {
  return store.transaction(async (work) => {
    const original = await work.surveys.lock(id, 'share');
    if (!original) throw surveyGone();
    const nowMs = clock.nowMs();
    const now = new Date(nowMs).toISOString();
    const survey = {
      ...original,
      id: uuidV7(nowMs),
      title: `Copy of ${original.title}`.slice(0, SURVEY_TITLE_MAX_LENGTH).toWellFormed(),
      isActive: false,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const questions = (await work.surveys.questionsOf([id])).map((question) => ({
      ...question,
      id: uuidV7(nowMs),
      surveyId: survey.id,
    }));
    await work.surveys.add(survey);
    await work.surveys.addQuestions(questions);
    const details = { title: survey.title, original: id };
    await record(work, editor, 'survey.duplicated', `survey:${survey.id}`, details);
    return { survey, questions, responseCount: 0 };
  });
}
