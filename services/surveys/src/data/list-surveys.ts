import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import type { Prisma, Question as QuestionRow, Survey as SurveyRow } from '../generated/client.ts';
import { toQuestion, toSurvey } from './survey-rows.ts';

type Row = SurveyRow & {
  questions: (Omit<QuestionRow, 'createdAt'> & { createdAt: string })[];
  responseCount: number;
};

/** Every survey, newest first, with its questions in their order. One statement: a row per question costs more. */
export async function listSurveys(db: Prisma.TransactionClient): Promise<AdminSurvey[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT s.id, s.title, s.description, s.is_active AS "isActive", s.start_date AS "startDate",
      s.end_date AS "endDate", s.frequency, s.login_trigger AS "loginTrigger", s.version,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt",
      coalesce(asked.questions, '[]'::json) AS questions, coalesce(answered.people, 0)::int AS "responseCount"
    FROM surveys AS s
    LEFT JOIN (
      SELECT survey_id, json_agg(json_build_object('id', id, 'surveyId', survey_id, 'questionText', question_text,
          'questionType', question_type, 'options', options, 'orderIndex', order_index,
          'isRequired', is_required, 'createdAt', created_at) ORDER BY order_index, created_at, id) AS questions
      FROM questions GROUP BY survey_id) AS asked ON asked.survey_id = s.id
    LEFT JOIN (
      SELECT survey_id, count(*) AS people FROM trackings
      WHERE response_submitted GROUP BY survey_id) AS answered ON answered.survey_id = s.id
    ORDER BY s.created_at DESC, s.id DESC`;
  return rows.map(({ questions, responseCount, ...survey }) => ({
    survey: toSurvey(survey),
    questions: questions.map((question) =>
      toQuestion({ ...question, createdAt: new Date(question.createdAt) }),
    ),
    responseCount,
  }));
}
