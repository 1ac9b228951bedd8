import * as contract from '@casewatch/contracts/admin-surveys';
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
import type { Editor } from '../domain/edit.ts';
import { changeQuestion, createQuestion, deleteQuestion } from '../domain/edit-questions.ts';
import { changeSurvey, createSurvey, deleteSurvey, duplicateSurvey } from '../domain/edit-surveys.ts';
import { exportResponses } from '../domain/export-responses.ts';
import { listTexts, surveyResults } from '../domain/survey-results.ts';
import type { SurveysService } from '../domain/surveys-service.ts';

const DONE = { ok: true } as const;

/** Contract -> use case. */
export function createAdminRoutes(service: SurveysService, logger: Logger): Route[] {
  return [
    route(contract.listSurveys, async () => ({ body: await service.store.surveys.listAll() })),

    route(contract.createSurvey, async (input) => ({
      body: await createSurvey(service, editorOf(input), input.body),
    })),

    route(contract.changeSurvey, async (input) => ({
      body: await changeSurvey(service, editorOf(input), input.params.id, input.body),
    })),

    route(contract.deleteSurvey, async (input) => {
      const { params, query } = input;
      const deletedResponses = await deleteSurvey(service, editorOf(input), params.id, query.version);
      return { body: { ...DONE, deletedResponses } };
    }),

    route(contract.duplicateSurvey, async (input) => ({
      body: await duplicateSurvey(service, editorOf(input), input.params.id),
    })),

    route(contract.createQuestion, async (input) => ({
      body: await createQuestion(service, editorOf(input), input.body),
    })),

    route(contract.changeQuestion, async (input) => ({
      body: await changeQuestion(service, editorOf(input), input.params.id, input.body),
    })),

    route(contract.deleteQuestion, async (input) => {
      await deleteQuestion(service, editorOf(input), input.params.id, input.query.version);
      return { body: DONE };
    }),

    route(contract.getSurveyResults, async ({ params }) => ({
      body: await surveyResults(service, params.id),
    })),

    route(contract.listTextAnswers, async ({ params, query }) => ({
      body: await listTexts(service, params.id, query),
    })),

    streamRoute(contract.exportSurveyResponses, async (input) => {
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
