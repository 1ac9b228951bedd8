import type { Answer, Survey } from '@casewatch/contracts/surveys';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { type AcceptedAnswer, checkAnswers, surveyChanged } from './check-answers.ts';
import { isOpen } from './pending-surveys.ts';
import type { Work } from './store.ts';
import { present, type SurveysService, surveyNotFound } from './surveys-service.ts';

export interface Submission {
  surveyId: string;
  responses: readonly Answer[];
  /** The version that the person was shown, when it is known. */
  version?: number | undefined;
}

/**
 * Stores a whole response or nothing, once per person and survey, also under concurrency.
 * @throws AppError NOT_FOUND, SURVEY_CHANGED, ALREADY_ANSWERED, VALIDATION or SIGNED_OUT
 */
export async function answerSurvey(
  { store, clock }: SurveysService,
  userId: string,
  submission: Submission,
): Promise<void> {
  await store.transaction(async (work) => {
    const loginCount = present(await work.people.lock(userId));
    const survey = await work.surveys.lock(submission.surveyId, 'share');
    if (!survey) throw surveyNotFound();
    const nowMs = clock.nowMs();
    if (!isOpen(survey, nowMs)) {
      throw new AppError('SURVEY_CHANGED', 'survey-closed');
    }
    const answers = await acceptedAnswers(work, survey, submission);
    if (!(await work.people.recordAnswer(userId, survey.id, { atMs: nowMs, loginCount }))) {
      throw new AppError('ALREADY_ANSWERED');
    }
    await work.people.addAnswers(userId, survey.id, answers, nowMs);
  });
}

/** What does not fit is the survey's doing, not the person's, when it is not the one that they were shown. */
async function acceptedAnswers(
  { surveys }: Work,
  survey: Survey,
  { responses, version }: Submission,
): Promise<AcceptedAnswer[]> {
  const questions = await surveys.questionsOf([survey.id]);
  try {
    return checkAnswers(questions, responses);
  } catch (error) {
    if (version !== undefined && version !== survey.version) throw surveyChanged();
    throw error;
  }
}

/**
 * Records that the survey was shown and skipped: it is due again by its frequency. Has no effect once it is
 * answered. @throws AppError NOT_FOUND or SIGNED_OUT
 */
export async function skipSurvey(
  { store, clock }: SurveysService,
  userId: string,
  surveyId: string,
): Promise<void> {
  await store.transaction(async ({ people, surveys }) => {
    const loginCount = present(await people.lock(userId));
    if (!(await surveys.lock(surveyId, 'share'))) throw surveyNotFound();
    await people.recordSkip(userId, surveyId, { atMs: clock.nowMs(), loginCount });
  });
}
