import type { AdminSurvey } from '@casewatch/contracts/admin-surveys';
import { QUESTION_TYPES, SURVEY_FREQUENCIES } from '@casewatch/contracts/limits';
import type { Survey, SurveyQuestion } from '@casewatch/contracts/surveys';
import type { Surveys } from '../domain/store.ts';
import type { Prisma, Question as QuestionRow, Survey as SurveyRow } from '../generated/client.ts';

const IN_ORDER = [{ orderIndex: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }] as const;

/** Surveys and questions in their tables, inside or outside of a transaction. */
export function surveysOf(db: Prisma.TransactionClient): Surveys {
  return {
    listAll: () => listSurveys(db),
    async find(id) {
      const row = await db.survey.findUnique({ where: { id } });
      return row ? toSurvey(row) : undefined;
    },
    async lock(id, mode) {
      const locked =
        mode === 'share'
          ? await db.$queryRaw<unknown[]>`SELECT 1 FROM surveys WHERE id = ${id}::uuid FOR SHARE`
          : await db.$queryRaw<unknown[]>`SELECT 1 FROM surveys WHERE id = ${id}::uuid FOR UPDATE`;
      // Read by a later statement, so that what others committed while we waited is seen.
      return locked.length === 0 ? undefined : this.find(id);
    },
    async add(survey) {
      await db.survey.create({ data: survey });
    },
    async change({ id, ...survey }) {
      await db.survey.update({ where: { id }, data: survey });
    },
    async remove(id) {
      // Question by question, as a hundred thousand responses are too many for one statement's time.
      const questions = await db.question.findMany({ where: { surveyId: id }, select: { id: true } });
      for (const question of questions) await db.response.deleteMany({ where: { questionId: question.id } });
      await db.tracking.deleteMany({ where: { surveyId: id } });
      await db.survey.delete({ where: { id } });
    },
    async questionsOf(surveyIds) {
      const rows = await db.question.findMany({
        where: { surveyId: { in: [...surveyIds] } },
        orderBy: [...IN_ORDER],
      });
      return rows.map(toQuestion);
    },
    async findQuestion(id) {
      const row = await db.question.findUnique({ where: { id } });
      return row ? toQuestion(row) : undefined;
    },
    async addQuestions(questions) {
      await db.question.createMany({ data: [...questions] });
    },
    async changeQuestion({ id, ...question }) {
      await db.question.update({ where: { id }, data: question });
    },
    async removeQuestion(id) {
      await db.question.delete({ where: { id } });
    },
  };
}

type Row = SurveyRow & {
  questions: (Omit<QuestionRow, 'createdAt'> & { createdAt: string })[];
  responseCount: number;
};

/** Returns every survey, newest first, with its questions in their order. One statement: a row per question costs more. */
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

export function toSurvey(row: SurveyRow): Survey {
  return {
    ...row,
    frequency: oneOf(SURVEY_FREQUENCIES, row.frequency),
    startDate: row.startDate?.toISOString() ?? null,
    endDate: row.endDate?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toQuestion(row: QuestionRow): SurveyQuestion {
  return {
    ...row,
    questionType: oneOf(QUESTION_TYPES, row.questionType),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Narrows a value that the table's check constrains. @throws for an unknown value */
function oneOf<Value extends string>(values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new Error(`the database holds ${text}, which is none of ${values.join(', ')}`);
  return found;
}
