import type { SurveysService } from './surveys-service.ts';
import { present, surveyGone } from './surveys-service.ts';

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
    if (!(await surveys.lock(surveyId, 'share'))) throw surveyGone();
    await people.recordSkip(userId, surveyId, { atMs: clock.nowMs(), loginCount });
  });
}
