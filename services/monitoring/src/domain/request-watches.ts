import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { afterRequest, firstStatus, listedRequest, type WatchRequest } from './watch-rules.ts';
import { publishStatusChanges, type Watching } from './watching.ts';

/** A user's request about one case. */
interface OwnRequest {
  readonly userId: string;
  readonly receiptNumber: string;
  readonly request: WatchRequest;
  /** How old the answer is that the user's list shows now; undefined where that is not known. */
  readonly shownAgeMs: number | undefined;
}

/** Does what a user has requested, unless a later request is known or the user has been deleted. */
export async function requestWatch(watching: Watching, tx: SqlExecutor, own: OwnRequest): Promise<void> {
  if (!(await watching.watchers.lockUser(tx, own.userId))) return;
  await watching.watches.lockReceipts(tx, [own.receiptNumber]);
  await applyRequest(watching, tx, own);
}

/** All that a user watches, from one receipt number on (inclusive) and before another one (exclusive), where given. */
interface WatchList {
  readonly userId: string;
  readonly version: bigint;
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  readonly requests: ReadonlyMap<string, WatchRequest>;
}

/** Does what a list requests and ends what it lacks, unless a later request is known or the user has been deleted. */
export async function applyWatchList(watching: Watching, tx: SqlExecutor, list: WatchList): Promise<void> {
  const { userId, version, requests } = list;
  if (!(await watching.watchers.lockUser(tx, userId))) return;
  const known = await watching.watchers.inRange(tx, userId, list);
  const differing = [...new Set([...requests.keys(), ...known.keys()])].flatMap((receiptNumber) => {
    const request = listedRequest(known.get(receiptNumber), requests.get(receiptNumber), version);
    return request ? { userId, receiptNumber, request, shownAgeMs: undefined } : [];
  });
  if (differing.length === 0) return;
  const receiptNumbers = differing.map(({ receiptNumber }) => receiptNumber);
  await watching.watches.lockReceipts(tx, receiptNumbers);
  for (const own of differing) await applyRequest(watching, tx, own);
}

/** Needs the locks of the user and of the receipt number. */
async function applyRequest(
  { watches, watchers, bus, clock }: Watching,
  tx: SqlExecutor,
  { userId, receiptNumber, request, shownAgeMs }: OwnRequest,
): Promise<void> {
  const newest = (await watches.lock(tx, [receiptNumber])).get(receiptNumber);
  const before = await watchers.find(tx, userId, receiptNumber);
  const after = afterRequest(before, request, newest);
  if (!after) return;
  await watchers.write(tx, [{ userId, receiptNumber, watcher: after.watcher }]);
  await watches.settle(tx, [receiptNumber], {
    newest: firstStatus(after.watcher, request),
    answerAgeMs: request.shown?.status === undefined ? undefined : shownAgeMs,
  });
  if (!after.change) return;
  const changedAt = new Date(clock.nowMs()).toISOString();
  await publishStatusChanges(tx, bus, [{ ...after.change, userId, receiptNumber, changedAt }]);
}
