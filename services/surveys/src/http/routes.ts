import * as contract from '@casewatch/contracts/surveys';
import { type Route, route } from '@casewatch/service-kit/http/route';
import { answerSurvey, skipSurvey } from '../domain/answer-survey.ts';
import { listPending } from '../domain/pending-surveys.ts';
import type { SurveysService } from '../domain/surveys-service.ts';

const DONE = { ok: true } as const;

/** Contract -> use case. */
export function createRoutes(service: SurveysService): Route[] {
  return [
    route(contract.listPendingSurveys, async ({ caller }) => ({
      body: await listPending(service, caller.userId),
    })),

    route(contract.answerSurvey, async ({ caller, body }) => {
      await answerSurvey(service, caller.userId, body);
      return { body: DONE };
    }),

    route(contract.skipSurvey, async ({ caller, body }) => {
      await skipSurvey(service, caller.userId, body.surveyId);
      return { body: DONE };
    }),
  ];
}
