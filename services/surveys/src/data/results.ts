import { uuidV7Time } from '@casewatch/service-kit/database/uuid-v7';
import type { ChoiceCount, Results } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';

/** Reads the answers, counted by the database or page by page. */
export function resultsOf(db: Prisma.TransactionClient): Results {
  return {
    async countPeople(surveyId) {
      const rows = await db.$queryRaw<{ response_submitted: boolean; count: bigint }[]>`
        SELECT response_submitted, count(*) FROM trackings WHERE survey_id = ${surveyId}::uuid
        GROUP BY response_submitted`;
      const count = (submitted: boolean) =>
        Number(rows.find((row) => row.response_submitted === submitted)?.count ?? 0);
      return { responseCount: count(true), skipCount: count(false) };
    },
    async countAnswers(questionIds) {
      const rows = await db.$queryRaw<{ question_id: string; count: bigint }[]>`
        SELECT question_id, count(*) FROM responses WHERE question_id = ANY(${[...questionIds]}::uuid[])
        GROUP BY question_id`;
      return new Map(rows.map(({ question_id, count }) => [question_id, Number(count)]));
    },
    async countChoices(questionIds) {
      // There are few different choices, however many people made them.
      const rows = await db.$queryRaw<{ question_id: string; response_options: string[]; count: bigint }[]>`
        SELECT question_id, response_options, count(*) FROM responses
        WHERE question_id = ANY(${[...questionIds]}::uuid[])
        GROUP BY question_id, response_options`;
      return new Map(
        [...Map.groupBy(rows, (row) => row.question_id)].map(([questionId, choices]) => [
          questionId,
          sum(choices.map((row) => ({ options: row.response_options, people: Number(row.count) }))),
        ]),
      );
    },
    async texts(questionId, { limit, before }) {
      const madeAt = before === undefined ? null : madeAtOf(before);
      const rows = await db.$queryRaw<{ id: string; response_text: string; created_at: Date }[]>`
        SELECT id, response_text, created_at FROM responses
        WHERE question_id = ${questionId}::uuid AND response_text IS NOT NULL
          AND (${before ?? null}::uuid IS NULL OR (created_at, id) < (coalesce(
            (SELECT created_at FROM responses WHERE id = ${before ?? null}::uuid AND question_id = ${questionId}::uuid),
            ${madeAt}::timestamptz), ${before ?? null}::uuid))
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
      return rows.map(({ id, response_text, created_at }) => ({
        id,
        text: response_text,
        createdAt: created_at.toISOString(),
      }));
    },
    async respondents(surveyId, { limit, after }) {
      const rows = await db.$queryRaw<{ user_id: string; last_shown_at: Date }[]>`
        SELECT user_id, last_shown_at FROM trackings
        WHERE survey_id = ${surveyId}::uuid AND response_submitted
          AND (last_shown_at, user_id) > (${new Date(after?.atMs ?? 0)}, ${after?.userId ?? FIRST_USER_ID}::uuid)
        ORDER BY last_shown_at, user_id LIMIT ${limit}`;
      return rows.map(({ user_id, last_shown_at }) => ({ userId: user_id, atMs: last_shown_at.getTime() }));
    },
    answersOf: (userIds, questionIds) =>
      db.response.findMany({
        where: { userId: { in: [...userIds] }, questionId: { in: [...questionIds] } },
        select: { userId: true, questionId: true, responseText: true, responseOptions: true },
      }),
  };
}

function sum(choices: readonly { options: readonly string[]; people: number }[]): ChoiceCount {
  const options = new Map<string, number>();
  let answered = 0;
  for (const choice of choices) {
    answered += choice.people;
    for (const option of choice.options) options.set(option, (options.get(option) ?? 0) + choice.people);
  }
  return { answered, options };
}

/** An answer's id says when it was given, also once it is erased: reading continues from where it was. */
function madeAtOf(id: string): Date {
  return new Date(uuidV7Time(id));
}

/** Sorts before every user id. */
const FIRST_USER_ID = '00000000-0000-0000-0000-000000000000';
