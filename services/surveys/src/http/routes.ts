import * as admin from '@casewatch/contracts/admin-surveys';
import * as contract from '@casewatch/contracts/surveys';
import {
  type AdminCaller,
  auditActor,
  type RequestFacts,
  type Route,
  route,
  streamRoute,
} from '@casewatch/service-kit/http/route';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { answerSurvey, skipSurvey } from '../domain/answer-survey.ts';
import type { Editor } from '../domain/edit.ts';
import { changeQuestion, createQuestion, deleteQuestion } from '../domain/edit-questions.ts';
import { changeSurvey, createSurvey, deleteSurvey, duplicateSurvey } from '../domain/edit-surveys.ts';
import { exportResponses } from '../domain/export-responses.ts';
import { listPending } from '../domain/pending-surveys.ts';
import { listTexts, surveyResults } from '../domain/survey-results.ts';
import type { SurveysService } from '../domain/surveys-service.ts';

const DONE = { ok: true } as const;

/** Returns the routes, contract by contract with its use case. */
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

/** Returns the routes, contract by contract with its use case: what administrators do. */
export function createAdminRoutes(service: SurveysService, logger: Logger): Route[] {
  return [
    route(admin.listSurveys, async () => ({ body: await service.store.surveys.listAll() })),

    route(admin.createSurvey, async (input) => ({
      body: await createSurvey(service, editorOf(input), input.body),
    })),

    route(admin.changeSurvey, async (input) => ({
      body: await changeSurvey(service, editorOf(input), input.params.id, input.body),
    })),

    route(admin.deleteSurvey, async (input) => {
      const { params, query } = input;
      const deletedResponses = await deleteSurvey(service, editorOf(input), params.id, query.version);
      return { body: { ...DONE, deletedResponses } };
    }),

    route(admin.duplicateSurvey, async (input) => ({
      body: await duplicateSurvey(service, editorOf(input), input.params.id),
    })),

    route(admin.createQuestion, async (input) => ({
      body: await createQuestion(service, editorOf(input), input.body),
    })),

    route(admin.changeQuestion, async (input) => ({
      body: await changeQuestion(service, editorOf(input), input.params.id, input.body),
    })),

    route(admin.deleteQuestion, async (input) => {
      await deleteQuestion(service, editorOf(input), input.params.id, input.query.version);
      return { body: DONE };
    }),

    route(admin.getSurveyResults, async ({ params }) => ({
      body: await surveyResults(service, params.id),
    })),

    route(admin.listTextAnswers, async ({ params, query }) => ({
      body: await listTexts(service, params.id, query),
    })),

    streamRoute(admin.exportSurveyResponses, async (input) => {
      const { id } = input.params;
      const { pieces, fileName } = await exportResponses(service, editorOf(input), id);
      return {
        stream: (out) => void sendPieces(pieces, out, logger),
        headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
      };
    }),
  ];
}

function editorOf({ admin, request }: { admin: AdminCaller; request: RequestFacts }): Editor {
  return auditActor(admin, request);
}
