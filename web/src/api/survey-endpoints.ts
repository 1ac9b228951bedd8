import type * as surveys from '@casewatch/contracts/surveys';
import type { Endpoint } from './call-api.ts';

export const listPendingSurveys: Endpoint<typeof surveys.listPendingSurveys> = {
  method: 'GET',
  path: '/api/surveys/pending',
};
export const answerSurvey: Endpoint<typeof surveys.answerSurvey> = {
  method: 'POST',
  path: '/api/surveys/respond',
};
export const skipSurvey: Endpoint<typeof surveys.skipSurvey> = { method: 'POST', path: '/api/surveys/skip' };
