import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import type { People, UserRows } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import { toSurvey } from './surveys.ts';

/** Reads and writes what is stored per person, inside or outside of a transaction. */
export function peopleOf(db: Prisma.TransactionClient): People {
  return {
    async candidatesFor(userId) {
      const [person, surveys] = await Promise.all([
        db.person.findUnique({ where: { userId } }),
        db.survey.findMany({
          where: { isActive: true, trackings: { none: { userId, responseSubmitted: true } } },
          include: { trackings: { where: { userId } } },
        }),
      ]);
      return {
        loginCount: person?.loginCount ?? 0,
        candidates: surveys.map(({ trackings: [tracking], ...survey }) => ({
          survey: toSurvey(survey),
          shown: tracking && {
            atMs: tracking.lastShownAt.getTime(),
            loginCount: tracking.loginsAtLastShown,
          },
        })),
      };
    },
    async lock(userId) {
      const [person] = await db.$queryRaw<{ login_count: number; deleted_at: Date | null }[]>`
        INSERT INTO people (user_id, login_count) VALUES (${userId}::uuid, 0)
        ON CONFLICT (user_id) DO UPDATE SET login_count = people.login_count
        RETURNING login_count, deleted_at`;
      return person && person.deleted_at === null ? person.login_count : undefined;
    },
    async recordSkip(userId, surveyId, { atMs, loginCount }) {
      const at = new Date(atMs);
      await db.$executeRaw`
        INSERT INTO trackings VALUES (${userId}::uuid, ${surveyId}::uuid, ${at}, ${loginCount}, false, ${at})
        ON CONFLICT (user_id, survey_id) DO UPDATE
        SET last_shown_at = excluded.last_shown_at, logins_at_last_shown = excluded.logins_at_last_shown
        WHERE NOT trackings.response_submitted`;
    },
    async recordAnswer(userId, surveyId, { atMs, loginCount }) {
      const at = new Date(atMs);
      const recorded = await db.$executeRaw`
        INSERT INTO trackings VALUES (${userId}::uuid, ${surveyId}::uuid, ${at}, ${loginCount}, true, ${at})
        ON CONFLICT (user_id, survey_id) DO UPDATE
        SET last_shown_at = excluded.last_shown_at, logins_at_last_shown = excluded.logins_at_last_shown,
          response_submitted = true
        WHERE NOT trackings.response_submitted`;
      return recorded === 1;
    },
    async addAnswers(userId, surveyId, answers, nowMs) {
      await db.response.createMany({
        data: answers.map(({ questionId, responseText, responseOptions }) => ({
          id: uuidV7(nowMs),
          surveyId,
          questionId,
          userId,
          responseText,
          responseOptions: [...responseOptions],
          createdAt: new Date(nowMs),
        })),
      });
    },
  };
}

export const userRows: UserRows = {
  async countLogin(tx, userId, loginCount) {
    await tx.query(
      `INSERT INTO people (user_id, login_count) VALUES ($1::uuid, $2)
       ON CONFLICT (user_id) DO UPDATE SET login_count = excluded.login_count
       WHERE people.login_count < excluded.login_count AND people.deleted_at IS NULL`,
      [userId, loginCount],
    );
  },
  async erase(tx, userId, nowMs) {
    // The tombstone comes first: it waits for transactions that are storing an answer of the person, and later ones wait for it.
    await tx.query(
      `INSERT INTO people (user_id, login_count, deleted_at) VALUES ($1::uuid, 0, $2)
       ON CONFLICT (user_id) DO UPDATE
       SET login_count = 0, deleted_at = coalesce(people.deleted_at, excluded.deleted_at)`,
      [userId, new Date(nowMs)],
    );
    await tx.query('DELETE FROM responses WHERE user_id = $1::uuid', [userId]);
    await tx.query('DELETE FROM trackings WHERE user_id = $1::uuid', [userId]);
  },
};
