import { z } from 'zod';
import { CSV_FILE } from './download-headers.ts';
import {
  QUESTION_OPTIONS_MAX,
  QUESTION_TYPES,
  SURVEY_FREQUENCIES,
  SURVEY_TEXT_MAX_LENGTH,
  SURVEY_TITLE_MAX_LENGTH,
} from './limits.ts';
import { defineRoute } from './route-contract.ts';
import { survey, surveyQuestion } from './surveys.ts';
import { text } from './text.ts';

const title = text({
  required: 'Title is required',
  max: [SURVEY_TITLE_MAX_LENGTH, 'Title is too long'],
  example: 'How was your search?',
});
const description = text({ max: [SURVEY_TEXT_MAX_LENGTH, 'Description is too long'] }).nullable();
/** A day counts from its first moment, UTC. */
const date = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).nullable();
const questionText = text({
  required: 'Question text is required',
  max: [SURVEY_TEXT_MAX_LENGTH, 'Question text is too long'],
  example: 'What did you look for?',
});
const options = z
  .array(
    text({
      required: 'An option may not be empty.',
      max: [SURVEY_TITLE_MAX_LENGTH, 'An option is too long.'],
    }),
  )
  .max(QUESTION_OPTIONS_MAX, `A question can have at most ${QUESTION_OPTIONS_MAX} options.`);
const orderIndex = z.int().min(0, 'The order starts at 0.').max(1_000_000);
/** Given, it must still be the survey's version, else 409 EDIT_CONFLICT. */
const version = z.int().optional().meta({ description: 'The version that was edited.' });

const surveyFields = {
  title,
  description: description.optional(),
  isActive: z.boolean().optional(),
  startDate: date.optional(),
  endDate: date.optional(),
  frequency: z.enum(SURVEY_FREQUENCIES).optional(),
  loginTrigger: z.int().min(1, 'The login number must be at least 1.').max(1_000_000).optional(),
};
/** Defaults: isActive false, frequency daily, loginTrigger 1. */
export const surveyBody = z.strictObject(surveyFields);
export const surveyChange = z.strictObject({ ...surveyFields, title: title.optional(), version });

const questionFields = {
  questionText,
  questionType: z.enum(QUESTION_TYPES).optional(),
  options: options.optional(),
  orderIndex: orderIndex.optional(),
  isRequired: z.boolean().optional(),
};
/** Defaults: questionType text, orderIndex the number of questions so far, isRequired true. */
export const questionBody = z.strictObject({ surveyId: z.uuid(), ...questionFields, version });
export const questionChange = z.strictObject({
  ...questionFields,
  questionText: questionText.optional(),
  version,
});

const surveyId = z.object({ id: z.uuid('Survey not found.') });
const questionId = z.object({ id: z.uuid('Question not found.') });
const versionQuery = z.object({ version: z.coerce.number().int().optional() });
const done = z.object({ ok: z.literal(true) });
const BY_ID = { id: '/id' } as const;
const OF_SURVEY = [
  'changeSurvey',
  'deleteSurvey',
  'duplicateSurvey',
  'getSurveyResults',
  'exportSurveyResponses',
].map((operationId) => ({ operationId, parameters: BY_ID }));
const OF_QUESTION = ['changeQuestion', 'deleteQuestion', 'listTextAnswers'].map((operationId) => ({
  operationId,
  parameters: BY_ID,
}));
const EDIT_ERRORS = ['NOT_FOUND', 'EDIT_CONFLICT'] as const;

export const adminSurvey = z
  .object({
    survey,
    questions: z.array(surveyQuestion),
    responseCount: z.int().meta({ description: 'How many people have answered.' }),
  })
  .meta({ id: 'AdminSurvey' });
export type AdminSurvey = z.output<typeof adminSurvey>;

const admin = { service: 'surveys', access: 'admin', permission: 'surveys.edit' } as const;

export const listSurveys = defineRoute({
  ...admin,
  permission: 'surveys.read',
  id: 'listSurveys',
  method: 'GET',
  path: '/api/admin/surveys',
  summary: 'All surveys with their questions, newest first',
  answer: z.array(adminSurvey),
});

export const createSurvey = defineRoute({
  ...admin,
  id: 'createSurvey',
  method: 'POST',
  path: '/api/admin/surveys',
  summary: 'Create a survey',
  body: surveyBody,
  status: 201,
  answer: survey,
  next: OF_SURVEY,
});

export const changeSurvey = defineRoute({
  ...admin,
  id: 'changeSurvey',
  method: 'PATCH',
  path: '/api/admin/surveys/:id',
  summary: 'Change a survey',
  params: surveyId,
  body: surveyChange,
  answer: survey,
  errors: EDIT_ERRORS,
});

export const deleteSurvey = defineRoute({
  ...admin,
  id: 'deleteSurvey',
  method: 'DELETE',
  path: '/api/admin/surveys/:id',
  summary: 'Delete a survey with its questions and responses',
  params: surveyId,
  query: versionQuery,
  answer: done.extend({ deletedResponses: z.int() }),
  errors: EDIT_ERRORS,
});

export const duplicateSurvey = defineRoute({
  ...admin,
  id: 'duplicateSurvey',
  method: 'POST',
  path: '/api/admin/surveys/:id/duplicate',
  summary: 'A new inactive survey with the same questions and no responses',
  params: surveyId,
  status: 201,
  answer: adminSurvey,
  errors: ['NOT_FOUND'],
});

export const createQuestion = defineRoute({
  ...admin,
  id: 'createQuestion',
  method: 'POST',
  path: '/api/admin/survey-questions',
  summary: 'Add a question',
  body: questionBody,
  status: 201,
  answer: surveyQuestion,
  next: OF_QUESTION,
  errors: EDIT_ERRORS,
});

export const changeQuestion = defineRoute({
  ...admin,
  id: 'changeQuestion',
  method: 'PATCH',
  path: '/api/admin/survey-questions/:id',
  summary: 'Change a question',
  params: questionId,
  body: questionChange,
  answer: surveyQuestion,
  errors: EDIT_ERRORS,
});

export const deleteQuestion = defineRoute({
  ...admin,
  id: 'deleteQuestion',
  method: 'DELETE',
  path: '/api/admin/survey-questions/:id',
  summary: 'Delete a question with its answers',
  params: questionId,
  query: versionQuery,
  answer: done,
  errors: EDIT_ERRORS,
});

export const questionResult = z
  .object({
    question: surveyQuestion,
    answered: z.int().meta({ description: 'How many people answered this question.' }),
    options: z
      .array(z.object({ option: z.string(), count: z.int() }))
      .meta({ description: 'In the order of the question; options taken out since come last.' }),
  })
  .meta({ id: 'QuestionResult' });

export const surveyResults = z
  .object({
    survey,
    responseCount: z.int(),
    skipCount: z.int().meta({ description: 'How many people skipped it and have not answered.' }),
    questions: z.array(questionResult),
  })
  .meta({ id: 'SurveyResults' });
export type SurveyResults = z.output<typeof surveyResults>;

export const getSurveyResults = defineRoute({
  ...admin,
  permission: 'surveys.read',
  id: 'getSurveyResults',
  method: 'GET',
  path: '/api/admin/surveys/:id/results',
  summary: 'What people answered, counted',
  params: surveyId,
  answer: surveyResults,
  errors: ['NOT_FOUND'],
});

export const textAnswer = z
  .object({ id: z.uuid(), text: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: 'TextAnswer' });

export const listTextAnswers = defineRoute({
  ...admin,
  permission: 'survey-answers.read',
  id: 'listTextAnswers',
  method: 'GET',
  path: '/api/admin/survey-questions/:id/answers',
  summary: 'The texts that people answered a question with, newest first',
  params: questionId,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: z.uuid().optional().meta({ description: 'Only what is older than this answer.' }),
  }),
  answer: z.array(textAnswer),
  errors: ['NOT_FOUND'],
});

export const exportSurveyResponses = defineRoute({
  ...CSV_FILE,
  ...admin,
  permission: 'survey-answers.read',
  id: 'exportSurveyResponses',
  method: 'GET',
  path: '/api/admin/surveys/:id/responses.csv',
  summary: 'Every response as CSV, one row a person',
  params: surveyId,
  errors: ['NOT_FOUND'],
});
