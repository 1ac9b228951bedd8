import { isSameStatus } from '@casewatch/contracts/fold-status';

/**
 * What monitoring makes of what happens to one case, without storage and without time. Observations are ordered by the number of the
 * agency call that was answered, requests by their version, whenever either arrives:
 * 1. An answer says where the case stands, unless a later call's is known (`afterAnswers`).
 * 2. A request is the user's last one, unless a higher version is known (`afterRequest`).
 * 3. After each, what a watcher has seen is compared with the newest status: where they differ, that is a change, published once, and
 *    the watcher has seen it (`catchUp`). So nothing that overtakes something else is missed or repeated.
 */

/** An answer of the agency with a status. */
export interface Observed {
  readonly status: string;
  /** The number of the call that was answered. */
  readonly call: bigint;
}

/** An answer to the call with that number: with a status, or without one ("not recognized", refused). */
export interface Answer {
  readonly status?: string | undefined;
  readonly call: bigint;
}

/**
 * What a user has seen last, in the list when the watch began or by a notification, which came with the answer to `call`:
 * - `nothing`: the agency had given no status by then, if it had been called at all.
 * - `no status`: it has answered since without one, so that a status is a change.
 * - `status`; where that was the first one and no change, with the call of what was seen before.
 */
export type Seen =
  | { readonly kind: 'nothing' | 'no status'; readonly call: bigint }
  | (Observed & { readonly kind: 'status' });

/** What is kept of a user and a case, also after the user has stopped watching it. */
export interface Watcher {
  /** Of the last request; 0 before the first. */
  readonly version: bigint;
  /** The version of the request with which the user began to watch; 0 before the first. */
  readonly began: bigint;
  /** Null: no longer. */
  readonly periodDays: number | null;
  readonly seen: Seen;
}

/** How often a user wants a case checked from now on. */
export interface WatchRequest {
  readonly version: bigint;
  /** Null ends the watch. */
  readonly periodDays: number | null;
  /** Undefined when the watch ends. */
  readonly beginning: { readonly version: bigint; readonly shown: Answer } | undefined;
  /** What the user's list shows now; undefined where that is unknown. */
  readonly shown: Answer | undefined;
}

/** A change of status that a watcher is notified of. */
export interface StatusChange {
  /** Undefined: the first status, after answers without one. */
  readonly oldStatus: string | undefined;
  readonly newStatus: string;
  readonly call: bigint;
}

export interface CaughtUp {
  readonly watcher: Watcher;
  readonly change: StatusChange | undefined;
}

const NO_WATCHER: Watcher = { version: 0n, began: 0n, periodDays: null, seen: { kind: 'nothing', call: 0n } };

/** What answers change of a case. */
export interface Answered {
  /** The newest status, if the watch knows one. */
  readonly newest: Observed | undefined;
  /** Those that have seen something new. */
  readonly watchers: ReadonlyMap<string, Watcher>;
  readonly changes: readonly (StatusChange & { readonly userId: string })[];
}

/** Returns what answers about a case, in the order in which they are handled, change for those who watch it. */
export function afterAnswers(
  newest: Observed | undefined,
  watchers: ReadonlyMap<string, Watcher>,
  answers: readonly Answer[],
): Answered {
  let known = newest;
  const changed = new Map<string, Watcher>();
  const changes: (StatusChange & { userId: string })[] = [];
  for (const { status, call } of answers) {
    // An answer that a later call has overtaken says nothing about where the case stands.
    if (known && call <= known.call) continue;
    if (status !== undefined) known = { status, call };
    for (const [userId, first] of watchers) {
      const watcher = changed.get(userId) ?? first;
      const after = status === undefined ? withoutStatus(watcher, call) : catchUp(watcher, { status, call });
      if (after.watcher !== watcher) changed.set(userId, after.watcher);
      if (after.change) changes.push({ ...after.change, userId });
    }
  }
  return { newest: known, watchers: changed, changes };
}

function withoutStatus(watcher: Watcher, call: bigint): CaughtUp {
  const { seen } = watcher;
  if (seen.kind === 'status' || call <= seen.call) return { watcher, change: undefined };
  return { watcher: { ...watcher, seen: { kind: 'no status', call } }, change: undefined };
}

/**
 * Returns the watcher after a request; undefined when a later one is known. A watch that begins starts from what the user's list
 * showed then, or from what the user was notified of since; one that continues, also after a pause, from what it had come to.
 * `newest` is what the watch knows.
 */
export function afterRequest(
  before: Watcher | undefined,
  request: WatchRequest,
  newest: Observed | undefined,
): CaughtUp | undefined {
  const watcher = before ?? NO_WATCHER;
  const { version, periodDays, beginning } = request;
  if (version <= watcher.version) return undefined;
  if (periodDays === null || !beginning) {
    return { watcher: { ...watcher, version, periodDays: null }, change: undefined };
  }
  const begins = beginning.version > watcher.began;
  const asked: Watcher = {
    version,
    began: begins ? beginning.version : watcher.began,
    periodDays,
    seen: begins ? laterOf(watcher.seen, seenIn(beginning.shown)) : watcher.seen,
  };
  return catchUp(asked, latestStatus(newest, request.shown));
}

/** Compares what the watcher has seen with a status. */
function catchUp(watcher: Watcher, newest: Observed | undefined): CaughtUp {
  const { seen } = watcher;
  if (!newest || newest.call <= seen.call) return { watcher, change: undefined };
  if (seen.kind === 'status' && isSameStatus(seen.status, newest.status))
    return { watcher, change: undefined };
  const { status: newStatus, call } = newest;
  // The first status of a watch that has just begun is no change.
  if (seen.kind === 'nothing')
    return {
      watcher: { ...watcher, seen: { kind: 'status', status: newStatus, call: seen.call } },
      change: undefined,
    };
  const oldStatus = seen.kind === 'status' ? seen.status : undefined;
  return {
    watcher: { ...watcher, seen: { kind: 'status', ...newest } },
    change: { oldStatus, newStatus, call },
  };
}

function seenIn({ status, call }: Answer): Seen {
  return status === undefined ? { kind: 'nothing', call } : { kind: 'status', status, call };
}

/** A user who begins to watch may have been notified of a later answer than the one that the list showed. */
function laterOf(seen: Seen, shown: Seen): Seen {
  const isKnown = seen.kind === 'status' || (seen.kind === 'no status' && shown.kind === 'nothing');
  return isKnown && seen.call > shown.call ? seen : shown;
}

/** Returns the status of the later call. */
function latestStatus(...answers: readonly (Answer | undefined)[]): Observed | undefined {
  let latest: Observed | undefined;
  for (const answer of answers) {
    if (answer?.status === undefined) continue;
    if (!latest || answer.call > latest.call) latest = { status: answer.status, call: answer.call };
  }
  return latest;
}

/** Returns what a watch knows that begins with this watcher. */
export function firstStatus({ seen }: Watcher, { shown }: WatchRequest): Observed | undefined {
  return latestStatus(shown, seen.kind === 'status' ? seen : undefined);
}

/**
 * Returns what a list of all that a user watches says of one case: a request that it lists, or the end of one that it lacks; undefined
 * where it says nothing new.
 */
export function listedRequest(
  before: Pick<Watcher, 'version' | 'periodDays'> | undefined,
  listed: WatchRequest | undefined,
  listVersion: bigint,
): WatchRequest | undefined {
  if (listed) return listed.version > (before?.version ?? 0n) ? listed : undefined;
  if (!before || before.periodDays === null || before.version >= listVersion) return undefined;
  return { version: listVersion, periodDays: null, beginning: undefined, shown: undefined };
}
