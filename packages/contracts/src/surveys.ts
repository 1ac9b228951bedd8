import { z } from 'zod';
import {
  ANSWER_MAX_LENGTH,
  QUESTION_OPTIONS_MAX,
  QUESTION_TYPES,
  SURVEY_FREQUENCIES,
  SURVEY_QUESTIONS_MAX,
} from './limits.ts';
import { defineRoute } from './route-contract.ts';
import { text } from './text.ts';

const moment = z.iso.datetime();

export const survey = z
  .object({
    id: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    isActive: z.boolean(),
    startDate: moment.nullable(),
    endDate: moment.nullable(),
    frequency: z
      .enum(SURVEY_FREQUENCIES)
      .meta({ description: '`daily` means by login count, see loginTrigger.' }),
    loginTrigger: z.int(),
    createdAt: moment,
    updatedAt: moment,
    version: z.int().meta({ description: 'Grows with every change of the survey or its questions.' }),
  })
  .meta({ id: 'Survey' });
export type Survey = z.output<typeof survey>;

export const surveyQuestion = z
  .object({
    id: z.uuid(),
    surveyId: z.uuid(),
    questionText: z.string(),
    questionType: z.enum(QUESTION_TYPES),
    options: z.array(z.string()).meta({ description: 'Empty for questions of type text.' }),
    orderIndex: z.int(),
    isRequired: z.boolean(),
    createdAt: moment,
  })
  .meta({ id: 'SurveyQuestion' });
export type SurveyQuestion = z.output<typeof surveyQuestion>;

export const pendingSurvey = z
  .object({ survey, questions: z.array(surveyQuestion).meta({ description: 'In orderIndex order.' }) })
  .meta({ id: 'PendingSurvey' });
export type PendingSurvey = z.output<typeof pendingSurvey>;

export const answer = z
  .strictObject({
    questionId: z.uuid(),
    responseText: text({
      max: [ANSWER_MAX_LENGTH, 'answer-long'],
      untrimmed: true,
      notStorable: 'answer-not-storable',
    }).optional(),
    responseOptions: z.array(z.string()).max(QUESTION_OPTIONS_MAX).optional(),
  })
  .meta({ id: 'SurveyAnswer' });
export type Answer = z.output<typeof answer>;

const done = z.object({ ok: z.literal(true) });

const forUsers = { service: 'surveys', access: 'user' } as const;

export const listPendingSurveys = defineRoute({
  ...forUsers,
  id: 'listPendingSurveys',
  method: 'GET',
  path: '/api/surveys/pending',
  summary: 'The surveys that the signed-in user is due to be shown',
  answer: z.array(pendingSurvey),
});

export const answerSurvey = defineRoute({
  ...forUsers,
  id: 'answerSurvey',
  method: 'POST',
  path: '/api/surveys/respond',
  summary: 'Answer a survey',
  description: 'All of it is stored, or nothing. A survey can be answered once.',
  body: z.strictObject({
    surveyId: z.uuid(),
    responses: z.array(answer).max(SURVEY_QUESTIONS_MAX),
    version: z.int().optional().meta({ description: 'The version of the survey that was shown.' }),
  }),
  status: 201,
  answer: done,
  errors: ['NOT_FOUND', 'SURVEY_CHANGED', 'ALREADY_ANSWERED'],
});

export const skipSurvey = defineRoute({
  ...forUsers,
  id: 'skipSurvey',
  method: 'POST',
  path: '/api/surveys/skip',
  summary: 'Put a survey off until it is due again',
  body: z.strictObject({ surveyId: z.uuid() }),
  answer: done,
  errors: ['NOT_FOUND'],
});
