import type { AdminSurvey, surveyBody, surveyChange } from '@casewatch/contracts/admin-surveys';
import { SURVEY_TITLE_MAX_LENGTH } from '@casewatch/contracts/limits';
import type { Survey } from '@casewatch/contracts/surveys';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { z } from 'zod';
import { type Editor, lockSurvey, record, touch } from './edit.ts';
import { differences, requireOrder, summary, surveyFields, toMoment } from './fields.ts';
import { type SurveysService, surveyNotFound } from './surveys-service.ts';

/** @throws AppError VALIDATION */
export async function createSurvey(
  { store, clock }: SurveysService,
  editor: Editor,
  given: z.output<typeof surveyBody>,
): Promise<Survey> {
  const nowMs = clock.nowMs();
  const now = new Date(nowMs).toISOString();
  const survey: Survey = {
    id: uuidV7(nowMs),
    title: given.title,
    description: given.description || null,
    isActive: given.isActive ?? false,
    startDate: toMoment('startDate', given.startDate ?? null),
    endDate: toMoment('endDate', given.endDate ?? null),
    frequency: given.frequency ?? 'daily',
    loginTrigger: given.loginTrigger ?? 1,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  requireOrder(survey.startDate, survey.endDate);
  await store.transaction(async (work) => {
    await work.surveys.add(survey);
    await record(work, editor, 'survey.created', `survey:${survey.id}`, summary(surveyFields(survey)));
  });
  return survey;
}

type Change = z.output<typeof surveyChange>;

/** Changes a survey; what is not given stays; a change that changes nothing leaves no trace. @throws AppError as `lockSurvey`, VALIDATION */
export async function changeSurvey(
  { store, clock }: SurveysService,
  editor: Editor,
  id: string,
  { version, ...change }: Change,
): Promise<Survey> {
  return store.transaction(async (work) => {
    const before = await lockSurvey(work, id, version);
    const after = applied(before, change);
    requireOrder(after.startDate, after.endDate);
    const details = differences(surveyFields(before), surveyFields(after));
    if (Object.keys(details).length === 0) return before;
    const saved = await touch(work, after, clock.nowMs());
    await record(work, editor, 'survey.changed', `survey:${id}`, details);
    return saved;
  });
}

function applied(survey: Survey, change: Omit<Change, 'version'>): Survey {
  const { description, startDate, endDate } = change;
  return {
    ...survey,
    title: change.title ?? survey.title,
    description: description === undefined ? survey.description : description || null,
    isActive: change.isActive ?? survey.isActive,
    startDate: startDate === undefined ? survey.startDate : toMoment('startDate', startDate),
    endDate: endDate === undefined ? survey.endDate : toMoment('endDate', endDate),
    frequency: change.frequency ?? survey.frequency,
    loginTrigger: change.loginTrigger ?? survey.loginTrigger,
  };
}

/** Returns a new inactive survey with the same settings and questions. @throws AppError NOT_FOUND */
export async function duplicateSurvey(
  { store, clock }: SurveysService,
  editor: Editor,
  id: string,
): Promise<AdminSurvey> {
  return store.transaction(async (work) => {
    const original = await work.surveys.lock(id, 'share');
    if (!original) throw surveyNotFound();
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

/** Resolves to how many people's responses went with it. @throws AppError as `lockSurvey` does */
export async function deleteSurvey(
  { store }: SurveysService,
  editor: Editor,
  id: string,
  version: number | undefined,
): Promise<number> {
  return store.transaction(async (work) => {
    const { title } = await lockSurvey(work, id, version);
    const { responseCount } = await work.results.countPeople(id);
    await work.surveys.remove(id);
    const details = { title, responses: String(responseCount) };
    await record(work, editor, 'survey.deleted', `survey:${id}`, details);
    return responseCount;
  });
}
