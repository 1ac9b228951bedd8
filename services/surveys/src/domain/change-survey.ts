import type { surveyChange } from '@casewatch/contracts/admin-surveys';
import type { Survey } from '@casewatch/contracts/surveys';
import type { z } from 'zod';
import { type Editor, lockSurvey, record, touch } from './edit.ts';
import { differences, requireOrder, surveyFields, toMoment } from './fields.ts';
import type { SurveysService } from './surveys-service.ts';

type Change = z.output<typeof surveyChange>;

/** What is not given stays; a change that changes nothing leaves no trace. @throws AppError as `lockSurvey`, VALIDATION */
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
