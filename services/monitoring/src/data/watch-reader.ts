import type { WatchReader } from '../domain/list-watches.ts';
import type { PrismaClient } from '../generated/client.ts';

/** Reads a user's watches. */
export function createWatchReader(prisma: PrismaClient, nowMs: () => Promise<number>): WatchReader {
  return {
    nowMs,
    async watchesOf(userId, chosen) {
      const watchers = await prisma.watcher.findMany({
        where: {
          userId,
          periodDays: { not: null },
          ...(chosen ? { receiptNumber: { in: [...chosen] } } : {}),
        },
        orderBy: { receiptNumber: 'asc' },
      });
      const receiptNumbers = watchers.map(({ receiptNumber }) => receiptNumber);
      const rows = await prisma.watch.findMany({ where: { receiptNumber: { in: receiptNumbers } } });
      const watches = new Map(rows.map((row) => [row.receiptNumber, row]));
      return watchers.flatMap(({ receiptNumber, periodDays }) => {
        const row = watches.get(receiptNumber);
        // Gone between the two reads.
        if (!row || periodDays === null) return [];
        return {
          receiptNumber,
          periodDays,
          lastCheckedAtMs: row.lastCheckedAt?.getTime() ?? null,
          nextCheckAtMs: row.nextCheckAt.getTime(),
          owedSinceMs: row.owedSince?.getTime() ?? null,
          attempts: row.attempts,
          denials: row.denials,
          lastFailure: row.lastFailure,
        };
      });
    },
    async queueFailure(nowMs) {
      const head = await prisma.watch.findFirst({
        where: { owedSince: null, nextCheckAt: { lte: new Date(nowMs) } },
        orderBy: { nextCheckAt: 'asc' },
        select: { lastFailure: true },
      });
      return head?.lastFailure ?? null;
    },
  };
}
