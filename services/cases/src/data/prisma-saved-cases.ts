import { randomUUID } from 'node:crypto';
import type { SavedCase } from '@casewatch/contracts/cases';
import { caseWatchChanged } from '@casewatch/contracts/events';
import { MONITORING_FREQUENCIES, type MonitoringFrequency } from '@casewatch/contracts/limits';
import type { EventBus } from '@casewatch/messaging/event-bus';
import { sqlOf } from '@casewatch/service-kit/database/sql-executor';
import type { Pool } from 'pg';
import type { CaseKey, OwnSavedCases, SavedCaseStore } from '../domain/saved-case-store.ts';
import type { Prisma, PrismaClient } from '../generated/client.ts';
import type { SavedCaseModel } from '../generated/models.ts';
import { lockUser } from './lock-user.ts';

/** How long a transaction may wait for a connection before the request fails. */
const MAX_WAIT_MS = 5_000;
const TIMEOUT_MS = 10_000;

/** The list is read at every visit of the page: one prepared statement, one index scan, no sort. */
const LIST = {
  name: 'list-saved-cases',
  text: `
    SELECT id, user_id AS "userId", receipt_number AS "receiptNumber", nickname,
           monitoring_frequency AS "monitoringFrequency", last_checked_at AS "lastCheckedAt",
           last_known_status AS "lastKnownStatus", created_at AS "createdAt"
    FROM saved_cases WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
};

const NICKNAMES = {
  name: 'list-nicknames',
  text: `
    SELECT user_id AS "userId", receipt_number AS "receiptNumber", nickname
    FROM saved_cases JOIN unnest($1::uuid[], $2::text[]) AS wanted (user_id, receipt_number)
      USING (user_id, receipt_number)
    WHERE nickname IS NOT NULL`,
};

export function createSavedCaseStore(prisma: PrismaClient, pool: Pool, bus: EventBus): SavedCaseStore {
  return {
    async list(userId) {
      const { rows } = await pool.query<SavedCaseModel>({ ...LIST, values: [userId] });
      return rows.map(toSavedCase);
    },
    async nicknames(cases) {
      const keys = [cases.map(({ userId }) => userId), cases.map(({ receiptNumber }) => receiptNumber)];
      const { rows } = await pool.query<CaseKey & { nickname: string }>({ ...NICKNAMES, values: keys });
      return rows;
    },
    forUser: (userId, work) =>
      prisma.$transaction(
        async (tx) => {
          await lockUser(sqlOf(tx), userId);
          return work(ownSavedCases(tx, bus, userId));
        },
        { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS },
      ),
  };
}

function ownSavedCases(tx: Prisma.TransactionClient, bus: EventBus, userId: string): OwnSavedCases {
  const keyOf = (receiptNumber: string) => ({ userId_receiptNumber: { userId, receiptNumber } });
  return {
    ownerIsDeleted: async () => (await tx.deletedUser.count({ where: { userId } })) > 0,
    count: () => tx.savedCase.count({ where: { userId } }),
    async find(receiptNumber) {
      const row = await tx.savedCase.findUnique({ where: keyOf(receiptNumber) });
      return row ? toSavedCase(row) : undefined;
    },
    async add({ createdAtMs, receiptNumber, ...rest }) {
      const newest = await newestObservation(tx, receiptNumber);
      const createdAt = new Date(createdAtMs);
      const row = await tx.savedCase.create({
        data: {
          id: randomUUID(),
          userId,
          receiptNumber,
          createdAt,
          frequencySetAt: createdAt,
          ...rest,
          ...newest,
        },
      });
      return toSavedCase(row);
    },
    async change(receiptNumber, { monitoring, ...rest }) {
      const data = monitoring
        ? {
            ...rest,
            monitoringFrequency: monitoring.frequency,
            frequencySetAt: new Date(monitoring.setAtMs),
          }
        : rest;
      return toSavedCase(await tx.savedCase.update({ where: keyOf(receiptNumber), data }));
    },
    async remove(receiptNumber) {
      await tx.savedCase.delete({ where: keyOf(receiptNumber) });
    },
    publishWatch: (receiptNumber, frequency) =>
      bus.publish(sqlOf(tx), caseWatchChanged, { receiptNumber, userId, frequency }),
  };
}

/** Locks the snapshot against writers: an observation either is seen here or sees the case that is being saved. */
async function newestObservation(tx: Prisma.TransactionClient, receiptNumber: string) {
  const rows = await tx.$queryRaw<{ observed_at: Date; status: string }[]>`
    SELECT observed_at, status FROM case_snapshots
    WHERE receipt_number = ${receiptNumber} AND observed_at IS NOT NULL FOR SHARE`;
  return { lastCheckedAt: rows[0]?.observed_at ?? null, lastKnownStatus: rows[0]?.status ?? null };
}

function toSavedCase(row: SavedCaseModel): SavedCase {
  return {
    id: row.id,
    userId: row.userId,
    receiptNumber: row.receiptNumber,
    nickname: row.nickname,
    monitoringFrequency: frequencyOf(row.monitoringFrequency),
    lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
    lastKnownStatus: row.lastKnownStatus,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The column has a CHECK; the type of a text column can't say so. */
function frequencyOf(text: string): MonitoringFrequency {
  const found = MONITORING_FREQUENCIES.find((frequency) => frequency === text);
  if (!found) throw new Error(`saved_cases holds the monitoring frequency ${text}`);
  return found;
}
