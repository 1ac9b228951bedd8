import type { WatcherRows } from '../domain/store.ts';
import type { Seen, Watcher } from '../domain/watch-rules.ts';

interface WatcherRow {
  user_id: string;
  receipt_number: string;
  period_days: number | null;
  /** These are bigints, as text. */
  version: string;
  began: string;
  seen_call: string;
  seen_status: string | null;
  seen_none: boolean;
}

const COLUMNS = `user_id, receipt_number, period_days, version::text, began::text, seen_call::text, seen_status, seen_none`;

export const watcherRows: WatcherRows = {
  async lockUser(tx, userId) {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('monitoring user ' || $1, 0))::text`, [
      userId,
    ]);
    const deleted = await tx.query('SELECT 1 FROM deleted_users WHERE user_id = $1::uuid', [userId]);
    return deleted.length === 0;
  },
  async find(tx, userId, receiptNumber) {
    const [row] = await tx.query<WatcherRow>(
      `SELECT ${COLUMNS} FROM watchers WHERE user_id = $1::uuid AND receipt_number = $2`,
      [userId, receiptNumber],
    );
    return row && toWatcher(row);
  },
  async inRange(tx, userId, { from, before }) {
    const rows = await tx.query<WatcherRow>(
      `SELECT ${COLUMNS} FROM watchers WHERE user_id = $1::uuid
         AND ($2::text IS NULL OR receipt_number >= $2) AND ($3::text IS NULL OR receipt_number < $3)`,
      [userId, from ?? null, before ?? null],
    );
    return new Map(rows.map((row) => [row.receipt_number, toWatcher(row)]));
  },
  async write(tx, own) {
    if (own.length === 0) return;
    const seen = own.map(({ watcher }) => watcher.seen);
    await tx.query(
      `INSERT INTO watchers (user_id, receipt_number, period_days, version, began, seen_call, seen_status, seen_none)
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::boolean[])
       ON CONFLICT (user_id, receipt_number) DO UPDATE SET
         period_days = excluded.period_days, version = excluded.version, began = excluded.began,
         seen_call = excluded.seen_call, seen_status = excluded.seen_status, seen_none = excluded.seen_none`,
      [
        own.map(({ userId }) => userId),
        own.map(({ receiptNumber }) => receiptNumber),
        own.map(({ watcher }) => watcher.periodDays),
        own.map(({ watcher }) => watcher.version.toString()),
        own.map(({ watcher }) => watcher.began.toString()),
        seen.map(({ call }) => call.toString()),
        seen.map((one) => (one.kind === 'status' ? one.status : null)),
        seen.map(({ kind }) => kind === 'no status'),
      ],
    );
  },
  async concerned(tx, answers) {
    const rows = await tx.query<WatcherRow>(CONCERNED, [
      answers.map(({ receiptNumber }) => receiptNumber),
      answers.map(({ status }) => status ?? null),
    ]);
    return new Map(
      [...Map.groupBy(rows, ({ receipt_number }) => receipt_number)].map(([receiptNumber, own]) => [
        receiptNumber,
        new Map(own.map((row) => [row.user_id, toWatcher(row)])),
      ]),
    );
  },
};

export const CONCERNED = `
  SELECT DISTINCT ON (receipt_number, user_id) ${COLUMNS}
  FROM watchers JOIN unnest($1::text[], $2::text[]) AS answer(receipt_number, status) USING (receipt_number)
  WHERE receipt_number = ANY ($1::text[]) AND period_days IS NOT NULL
    AND (seen_status IS NULL OR (status IS NOT NULL AND seen_status <> status))
  ORDER BY receipt_number, user_id`;

function toWatcher(row: WatcherRow): Watcher {
  return {
    version: BigInt(row.version),
    began: BigInt(row.began),
    periodDays: row.period_days,
    seen: toSeen(row),
  };
}

function toSeen({ seen_call, seen_status: status, seen_none }: WatcherRow): Seen {
  const call = BigInt(seen_call);
  if (status !== null) return { kind: 'status', status, call };
  return { kind: seen_none ? 'no status' : 'nothing', call };
}
