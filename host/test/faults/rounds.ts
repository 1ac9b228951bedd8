import type { TestDatabase } from '@casewatch/testing/test-database';

export const BEFORE = 'Case Is Before The Round';
const SHARED_WATCHERS = 10;
/** The version of these watches, which cases knows nothing of: a list of what one of `also` has saved would end older ones. */
const AFTER_ANY_LIST = String(2n ** 62n);
/** The agency knows every number that is even. */
export const receiptOf = (round: number, n: number) =>
  `MSC${String(round * 100_000 + 2 * n).padStart(10, '0')}`;
const watcherId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export type Round = Awaited<ReturnType<typeof beginRound>>;

export interface Verdict {
  /** Pairs of watcher and case without a notification. */
  missing: number;
  /** Notifications beyond the first of such a pair. */
  doubled: number;
}

/**
 * One round: cases that are due, all of which have moved since they were last seen, each with two watchers of whom one
 * watches many, and those of `also`. The promise is one notification for every watcher of every case.
 */
export async function beginRound(
  { database }: { database: Pick<TestDatabase, 'query'> },
  round: number,
  count: number,
  also: readonly string[] = [],
) {
  const receipts = Array.from({ length: count }, (_, n) => receiptOf(round, n));
  const watchers = receipts.flatMap((_, n) => [
    watcherId(1_000 + n),
    watcherId(n % SHARED_WATCHERS),
    ...also,
  ]);
  await database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days, version, began, seen_call, seen_status)
     SELECT user_id, receipt_number, 1, $4, 1, 1, $3
     FROM unnest($1::uuid[], $2::text[]) AS row (user_id, receipt_number)`,
    [
      watchers,
      receipts.flatMap((number) => [number, number, ...also.map(() => number)]),
      BEFORE,
      AFTER_ANY_LIST,
    ],
  );
  await database.query(
    `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at, last_status, status_call)
     SELECT number, 1, now(), $2, 1 FROM unnest($1::text[]) AS number`,
    [receipts, BEFORE],
  );

  async function notified() {
    const rows = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM notifications.notifications
       WHERE receipt_number = ANY($1::text[]) AND old_status = $2 GROUP BY user_id, receipt_number`,
      [receipts, BEFORE],
    );
    return rows.map((row) => row.count);
  }
  return {
    /** From 0 to 1: how many of the notifications are there. */
    progress: async () => (await notified()).length / watchers.length,
    async verdict(): Promise<Verdict> {
      const counts = await notified();
      return {
        missing: watchers.length - counts.length,
        doubled: counts.reduce((sum, count) => sum + count - 1, 0),
      };
    },
    /** Where its cases and the events about them are, for a round that was not completed. */
    async standing() {
      const [watches, waiting, outboxes, notifications] = await Promise.all([
        database.query('SELECT * FROM monitoring.watches WHERE receipt_number = ANY($1::text[])', [receipts]),
        database.query('SELECT * FROM cases.agency_queue WHERE receipt_number = ANY($1::text[])', [receipts]),
        Promise.all(
          ['cases', 'monitoring', 'notifications'].map((service) =>
            database.query(
              `SELECT topic, count(*)::int FROM ${service}.outbox WHERE done_at IS NULL GROUP BY topic`,
            ),
          ),
        ),
        database.query(
          `SELECT receipt_number, count(*)::int FROM notifications.notifications
           WHERE receipt_number = ANY($1::text[]) GROUP BY receipt_number`,
          [receipts],
        ),
      ]);
      return { now: new Date(), watches, waiting, outboxes, notifications };
    },
  };
}
