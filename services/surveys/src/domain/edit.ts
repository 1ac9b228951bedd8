import { adminActed } from '@casewatch/contracts/events';
import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { AuditActor } from '@casewatch/service-kit/http/route';
import { type Fields, questionFields, surveyFields } from './fields.ts';
import type { Work } from './store.ts';
import { questionNotFound, surveyNotFound } from './surveys-service.ts';

/** The editing administrator, as in the audit trail. */
export type Editor = AuditActor;

/**
 * Returns the survey, kept from changing until the transaction ends; `version`, when given, must still be its own.
 * @throws AppError NOT_FOUND, or EDIT_CONFLICT with the current values
 */
export async function lockSurvey(work: Work, id: string, version: number | undefined): Promise<Survey> {
  const survey = await work.surveys.lock(id, 'update');
  if (!survey) throw surveyNotFound();
  requireVersion(survey, version, surveyFields(survey));
  return survey;
}

/** Returns the question, with its survey kept from changing. @throws AppError as `lockSurvey` does */
export async function lockQuestion(
  work: Work,
  id: string,
  version: number | undefined,
): Promise<{ survey: Survey; question: SurveyQuestion }> {
  const found = await work.surveys.findQuestion(id);
  const survey = found && (await work.surveys.lock(found.surveyId, 'update'));
  // It may have been removed or changed while this transaction waited for the lock.
  const question = survey && (await work.surveys.findQuestion(id));
  if (!question) throw questionNotFound();
  requireVersion(survey, version, questionFields(question));
  return { survey, question };
}

/** Marks the survey as changed: its version is the next one. */
export async function touch(work: Work, survey: Survey, nowMs: number): Promise<Survey> {
  const touched = { ...survey, version: survey.version + 1, updatedAt: new Date(nowMs).toISOString() };
  await work.surveys.change(touched);
  return touched;
}

/** Publishes the action to the audit trail, if and only if the transaction commits. */
export function record(
  work: Work,
  editor: Editor,
  action: string,
  subject: string,
  details: Fields,
): Promise<void> {
  return work.publish(adminActed, { action, subject, success: true, ...editor, details });
}

function requireVersion(survey: Survey, given: number | undefined, current: Fields): void {
  if (given === undefined || given === survey.version) return;
  const details = Object.entries({ ...current, version: String(survey.version) });
  throw new AppError('EDIT_CONFLICT', 'EDIT_CONFLICT', {
    details: details.map(([path, message]) => ({ path, message })),
  });
}
