import type * as log from '@casewatch/contracts/admin-log';
import type * as session from '@casewatch/contracts/admin-session';
import type * as surveys from '@casewatch/contracts/admin-surveys';
import type { Endpoint } from './call-api.ts';

export const adminLogIn: Endpoint<typeof session.adminLogIn> = { method: 'POST', path: '/api/admin/login' };
export const adminLogOut: Endpoint<typeof session.adminLogOut> = {
  method: 'POST',
  path: '/api/admin/logout',
};

export const listLogs: Endpoint<typeof log.listLogs> = { method: 'GET', path: '/api/admin/logs' };
export const getLog: Endpoint<typeof log.getLog> = { method: 'GET', path: '/api/admin/logs/rows/:place' };
export const exportLogsCsv: Endpoint<typeof log.exportLogsCsv> = {
  method: 'GET',
  path: '/api/admin/logs.csv',
};
export const exportLogsNdjson: Endpoint<typeof log.exportLogsNdjson> = {
  method: 'GET',
  path: '/api/admin/logs.ndjson',
};
export const getCallOverview: Endpoint<typeof log.getCallOverview> = {
  method: 'GET',
  path: '/api/admin/logs/overview',
};
export const listAudit: Endpoint<typeof log.listAudit> = { method: 'GET', path: '/api/admin/audit' };

export const listSurveys: Endpoint<typeof surveys.listSurveys> = {
  method: 'GET',
  path: '/api/admin/surveys',
};
export const createSurvey: Endpoint<typeof surveys.createSurvey> = {
  method: 'POST',
  path: '/api/admin/surveys',
};
export const changeSurvey: Endpoint<typeof surveys.changeSurvey> = {
  method: 'PATCH',
  path: '/api/admin/surveys/:id',
};
export const deleteSurvey: Endpoint<typeof surveys.deleteSurvey> = {
  method: 'DELETE',
  path: '/api/admin/surveys/:id',
};
export const duplicateSurvey: Endpoint<typeof surveys.duplicateSurvey> = {
  method: 'POST',
  path: '/api/admin/surveys/:id/duplicate',
};
export const createQuestion: Endpoint<typeof surveys.createQuestion> = {
  method: 'POST',
  path: '/api/admin/survey-questions',
};
export const changeQuestion: Endpoint<typeof surveys.changeQuestion> = {
  method: 'PATCH',
  path: '/api/admin/survey-questions/:id',
};
export const deleteQuestion: Endpoint<typeof surveys.deleteQuestion> = {
  method: 'DELETE',
  path: '/api/admin/survey-questions/:id',
};
export const getSurveyResults: Endpoint<typeof surveys.getSurveyResults> = {
  method: 'GET',
  path: '/api/admin/surveys/:id/results',
};
export const listTextAnswers: Endpoint<typeof surveys.listTextAnswers> = {
  method: 'GET',
  path: '/api/admin/survey-questions/:id/answers',
};
export const exportSurveyResponses: Endpoint<typeof surveys.exportSurveyResponses> = {
  method: 'GET',
  path: '/api/admin/surveys/:id/responses.csv',
};
