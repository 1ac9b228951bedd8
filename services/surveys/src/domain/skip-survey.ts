import { present, surveyGone } from './refusals.ts';
import type { SurveysService } from './surveys-service.ts';

/**
 * The person was shown the survey and put it off: it is due again when its frequency says so. Without effect once it is
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
