import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { QuestionType, SurveyFrequency } from '@casewatch/contracts/limits';
import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

const surveysKey = ['admin-surveys'] as const;
const resultsKey = ['survey-results'] as const;
const TEXTS_PER_PAGE = 20;

/** Returns all surveys with their questions, newest first. */
export function useSurveys() {
  return useQuery({
    queryKey: surveysKey,
    queryFn: ({ signal }) => callApi(endpoints.listSurveys, { signal }),
  });
}

/** Returns the surveys as the server has them now. */
export async function readSurveysAgain(client: QueryClient): Promise<readonly AdminSurvey[]> {
  await client.refetchQueries({ queryKey: surveysKey });
  return client.getQueryData<AdminSurvey[]>(surveysKey) ?? [];
}

export interface SurveyBody {
  title: string;
  /** null: none. */
  description: string | null;
  isActive: boolean;
  frequency: SurveyFrequency;
  loginTrigger: number;
  startDate: string | null;
  endDate: string | null;
}

/** Something that exists, in the version that was looked at. */
export interface Edited {
  id: string;
  version: number;
}

/** Creates a survey, or changes the one given. Fails with EDIT_CONFLICT when another administrator was faster. */
export function useSaveSurvey() {
  return useMutation({
    mutationFn: ({ edited, body }: { edited: Edited | null; body: SurveyBody }) =>
      edited === null
        ? callApi(endpoints.createSurvey, { body })
        : callApi(endpoints.changeSurvey, {
            params: { id: edited.id },
            body: { ...body, version: edited.version },
          }),
    onSuccess: (_answer, _asked, _result, { client }) => refresh(client),
  });
}

export function useDeleteSurvey() {
  return useMutation({
    mutationFn: ({ id, version }: Edited) =>
      callApi(endpoints.deleteSurvey, { params: { id }, query: { version } }),
    onSettled: (_answer, _error, _asked, _result, { client }) => refresh(client),
  });
}

export function useDuplicateSurvey() {
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.duplicateSurvey, { params: { id } }),
    onSettled: (_answer, _error, _asked, _result, { client }) => refresh(client),
  });
}

export interface QuestionBody {
  questionText: string;
  questionType: QuestionType;
  /** Empty for text questions. */
  options: string[];
  orderIndex: number;
  isRequired: boolean;
}

interface QuestionChange {
  surveyId: string;
  /** null adds a question. */
  questionId: string | null;
  /** Of the survey, as it was looked at. */
  version: number;
  body: QuestionBody;
}

/** Adds a question to a survey, or changes one. Fails with EDIT_CONFLICT when another administrator was faster. */
export function useSaveQuestion() {
  return useMutation({
    mutationFn: ({ surveyId, questionId, version, body }: QuestionChange) =>
      questionId === null
        ? callApi(endpoints.createQuestion, { body: { surveyId, ...body, version } })
        : callApi(endpoints.changeQuestion, { params: { id: questionId }, body: { ...body, version } }),
    onSuccess: (_answer, _asked, _result, { client }) => refresh(client),
  });
}

/** Deletes a question; `version` is the survey's. */
export function useDeleteQuestion() {
  return useMutation({
    mutationFn: ({ id, version }: Edited) =>
      callApi(endpoints.deleteQuestion, { params: { id }, query: { version } }),
    onSettled: (_answer, _error, _asked, _result, { client }) => refresh(client),
  });
}

export function useSurveyResults(id: string) {
  return useQuery({
    queryKey: [...resultsKey, id],
    queryFn: ({ signal }) => callApi(endpoints.getSurveyResults, { params: { id }, signal }),
  });
}

/** Returns what people wrote, newest first, read on towards the past. */
export function useTextAnswers(questionId: string) {
  return useInfiniteQuery({
    queryKey: [...resultsKey, 'texts', questionId],
    queryFn: ({ pageParam, signal }) =>
      callApi(endpoints.listTextAnswers, {
        params: { id: questionId },
        query: { limit: TEXTS_PER_PAGE, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < TEXTS_PER_PAGE ? null : (page.at(-1)?.id ?? null)),
  });
}

/** Returns the address of a download of all responses to a survey. */
export function responsesHref(id: string): string {
  return endpoints.exportSurveyResponses.path.replace(':id', encodeURIComponent(id));
}

function refresh(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: resultsKey });
  return client.invalidateQueries({ queryKey: surveysKey });
}
