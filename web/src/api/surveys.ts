import type { Answer, PendingSurvey } from '@casewatch/contracts/surveys';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './user-data.ts';

const pendingSurveysKey = ['surveys', 'pending'] as const;

/** Returns the surveys that the signed-in user is due to be shown; read once, and again after an answer or a skip. */
export function usePendingSurveys() {
  return useQuery({
    queryKey: pendingSurveysKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.listPendingSurveys, { signal })),
  });
}

/** Sends the answers to a survey, all at once. On success the survey is pending no more. */
export function useAnswerSurvey() {
  return useMutation({
    mutationFn: (body: { surveyId: string; responses: Answer[]; version: number }) =>
      callApi(endpoints.answerSurvey, { body }),
    onSuccess: (_answer, { surveyId }, _result, { client }) => settleSurvey(client, surveyId),
  });
}

/** Puts a survey off. A skip that fails is not reported. */
export function useSkipSurvey() {
  return useMutation({
    mutationFn: (surveyId: string) => callApi(endpoints.skipSurvey, { body: { surveyId } }),
    onSettled: (_answer, _error, _surveyId, _result, { client }) => refreshPending(client),
  });
}

/** Takes a survey off the pending ones at once, and asks the server for the rest. */
export function settleSurvey(client: QueryClient, surveyId: string): void {
  client.setQueryData<PendingSurvey[]>(pendingSurveysKey, (list) =>
    list?.filter(({ survey }) => survey.id !== surveyId),
  );
  void refreshPending(client);
}

export function refreshPending(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: pendingSurveysKey });
}

/** Returns whether a survey is pending, as far as is known here. */
export function isPendingSurvey(client: QueryClient, surveyId: string): boolean {
  const pending = client.getQueryData<PendingSurvey[]>(pendingSurveysKey) ?? [];
  return pending.some(({ survey }) => survey.id === surveyId);
}
