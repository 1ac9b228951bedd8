import { caseWatchChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Watched } from '../domain/saved-case-store.ts';
import { LAST_CHECKED } from './saved-case-rows.ts';

const KNOWN = `
  SELECT receipt_number, last_known_status AS status, ${LAST_CHECKED} AS observed_at FROM saved_cases
  WHERE user_id = $1::uuid AND receipt_number = ANY($2::text[])
    AND last_known_status IS NOT NULL AND last_checked_at IS NOT NULL`;

/**
 * Publishes how often these cases are to be checked from now on, each with the status that the user's list shows: a watch that begins
 * with it misses no change since. Needs the locks of the user and of the saved cases.
 */
export async function publishWatches(
  tx: SqlExecutor,
  bus: EventBus,
  userId: string,
  watched: readonly Watched[],
): Promise<void> {
  if (watched.length === 0) return;
  const checked = watched.filter(({ frequency }) => frequency !== 'none');
  const rows =
    checked.length === 0
      ? []
      : await tx.query<{ receipt_number: string; status: string; observed_at: Date }>(KNOWN, [
          userId,
          checked.map(({ receiptNumber }) => receiptNumber),
        ]);
  const known = new Map(
    rows.map((row) => [
      row.receipt_number,
      { status: row.status, observedAt: row.observed_at.toISOString() },
    ]),
  );
  await bus.publishAll(
    tx,
    caseWatchChanged,
    watched.map(({ receiptNumber, frequency }) => ({
      userId,
      receiptNumber,
      frequency,
      known: frequency === 'none' ? undefined : known.get(receiptNumber),
    })),
  );
}
