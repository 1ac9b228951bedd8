import type { surveyBody } from '@casewatch/contracts/admin-surveys';
import type { Survey } from '@casewatch/contracts/surveys';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { z } from 'zod';
import { type Editor, record } from './edit.ts';
import { summary, surveyFields } from './fields.ts';
import { requireOrder, toMoment } from './survey-dates.ts';
import type { SurveysService } from './surveys-service.ts';

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
