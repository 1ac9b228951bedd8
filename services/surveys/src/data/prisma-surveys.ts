import type { Surveys } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import { listSurveys } from './list-surveys.ts';
import { toQuestion, toSurvey } from './survey-rows.ts';

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
