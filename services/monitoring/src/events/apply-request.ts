import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { lockWatches, settleWatches } from '../data/watch-rows.ts';
import { watchersOf, writeWatchers } from '../data/watcher-rows.ts';
import { periodDaysOf } from '../domain/period.ts';
import { type Answer, afterRequest, firstStatus, type WatchRequest } from '../domain/watch-rules.ts';
import { type HandlerDependencies, publishStatusChanges } from './publish-status-changes.ts';

/** A user's request about one case. */
export interface OwnRequest {
  readonly userId: string;
  readonly receiptNumber: string;
  readonly request: WatchRequest;
  /** How old the answer is that the user's list shows now; undefined where that is not known. */
  readonly shownAgeMs: number | undefined;
}

/** Does what a user has requested, unless a later request is known. Needs the locks of the user and of the receipt number. */
export async function applyRequest(
  tx: SqlExecutor,
  { bus, clock, schedule }: HandlerDependencies,
  { userId, receiptNumber, request, shownAgeMs }: OwnRequest,
): Promise<void> {
  const watches = await lockWatches(tx, [receiptNumber]);
  const before = await watchersOf(tx, userId, [receiptNumber]);
  const after = afterRequest(before.get(receiptNumber), request, watches.get(receiptNumber));
  if (!after) return;
  const nowMs = await databaseTimeMs(tx, clock);
  await writeWatchers(tx, [{ userId, receiptNumber, watcher: after.watcher }]);
  const isAnswered = request.shown?.status !== undefined && shownAgeMs !== undefined;
  await settleWatches(tx, schedule, [receiptNumber], nowMs, {
    newest: firstStatus(after.watcher, request),
    answeredAtMs: isAnswered ? nowMs - shownAgeMs : undefined,
  });
  if (!after.change) return;
  const changedAt = new Date(clock.nowMs()).toISOString();
  await publishStatusChanges(tx, bus, [{ ...after.change, userId, receiptNumber, changedAt }]);
}

/** The answer that a list shows, as the events of cases carry it. */
interface Shown {
  readonly callNumber: string;
  readonly status?: string | undefined;
}

export interface Requested {
  readonly version: string;
  readonly frequency: Parameters<typeof periodDaysOf>[0];
  readonly beginning?: { readonly version: string; readonly shown?: Shown | undefined } | undefined;
  readonly shown?: Shown | undefined;
}

/** Returns a request as the rules take it. */
export function toRequest({ version, frequency, beginning, shown }: Requested): WatchRequest {
  return {
    version: BigInt(version),
    periodDays: periodDaysOf(frequency),
    beginning: beginning && { version: BigInt(beginning.version), shown: toAnswer(beginning.shown) },
    shown: shown && toAnswer(shown),
  };
}

function toAnswer(shown: Shown | undefined): Answer {
  return { status: shown?.status, call: BigInt(shown?.callNumber ?? 0) };
}
