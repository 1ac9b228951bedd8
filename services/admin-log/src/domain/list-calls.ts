import type { ApiLog, listLogs } from '@casewatch/contracts/admin-log';
import type { AnswerOf } from '@casewatch/contracts/route-contract';
import type { CallFilter } from './call-filter.ts';
import {
  type CallLog,
  type CountedRange,
  isCounted,
  isFailuresOfReceipt,
  type PageStart,
} from './call-log.ts';
import { badCursor, fromCursor, type Position, toCursor } from './position.ts';

export interface PageAsked {
  readonly limit: number;
  readonly offset: number;
  readonly older?: string | undefined;
  readonly newer?: string | undefined;
}

/** Matches of a filter without kept counts are counted so far; where there are more, the result says so. */
export const COUNTED_TO = 10_000;

/**
 * Returns one page of the calls that fit, newest first, and how many there are: exactly, or to a bound that is then marked.
 * A page far back costs about as much as the first: kept counts show near which hour it begins.
 * @throws AppError VALIDATION for a cursor that was never given, or more than one way to say where the page is
 */
export async function listCalls(
  log: CallLog,
  filter: CallFilter,
  asked: PageAsked,
  payloadsSinceMs: number,
): Promise<AnswerOf<typeof listLogs>> {
  const { limit } = asked;
  if (asked.older !== undefined && asked.newer !== undefined) {
    throw badCursor('newer', 'Use either older or newer, not both.');
  }
  if (asked.offset > 0 && (asked.older ?? asked.newer) !== undefined) {
    throw badCursor('offset', 'Use a cursor or an offset, not both.');
  }
  const olderThan = asked.older === undefined ? undefined : fromCursor('older', asked.older);
  const newerThan = asked.newer === undefined ? undefined : fromCursor('newer', asked.newer);
  if (newerThan) {
    const [counted, logs] = await Promise.all([
      count(log, filter, asked),
      log.newer(filter, newerThan, limit, payloadsSinceMs),
    ]);
    const [first] = logs;
    const last = logs.at(-1);
    return {
      logs,
      ...totalOf(counted),
      older: toCursor(last ? positionOf(last) : newerThan),
      newer: toCursor(first ? positionOf(first) : newerThan),
    };
  }
  const counting = count(log, filter, asked);
  const reading = (async () => {
    const start = {
      ...(olderThan ? { olderThan } : await startOf(log, filter, counting, asked.offset)),
      hasFewMatches: isFailuresOfReceipt(filter) && (await counting).isExact,
    };
    return log.older(filter, start, limit + 1, payloadsSinceMs);
  })();
  const [counted, found] = await Promise.all([counting, reading]);
  const logs = found.slice(0, limit);
  const [first] = logs;
  const last = logs.at(-1);
  return {
    logs,
    ...totalOf(counted),
    older: last && found.length > limit ? toCursor(positionOf(last)) : null,
    newer: first ? toCursor(positionOf(first)) : olderThan ? toCursor(olderThan) : null,
  };
}

interface Counted {
  readonly total: number;
  readonly isExact: boolean;
  /** By which a page far back is found; undefined where none are kept for the filter. */
  readonly countRanges: readonly CountedRange[] | undefined;
}

const totalOf = ({ total, isExact }: Counted) => ({ totalCount: total, totalIsExact: isExact });

async function count(log: CallLog, filter: CallFilter, { offset, limit }: PageAsked): Promise<Counted> {
  if (isCounted(filter)) {
    const countRanges = await log.countRanges(filter);
    return { total: countRanges.reduce((sum, { calls }) => sum + calls, 0), isExact: true, countRanges };
  }
  const bound = Math.max(COUNTED_TO, offset + limit);
  const found = await log.countUpTo(filter, bound);
  return { total: Math.min(found, bound), isExact: found <= bound, countRanges: undefined };
}

/** The position of the call at an offset: by the counts where there are some, else by skipping that many calls. */
async function startOf(
  log: CallLog,
  filter: CallFilter,
  counting: Promise<Counted>,
  offset: number,
): Promise<PageStart> {
  if (offset === 0 || !isCounted(filter)) return { skip: offset };
  const { countRanges = [] } = await counting;
  return locate(log, filter, countRanges, offset);
}

/** To within its hour. */
async function locate(
  log: CallLog,
  filter: CallFilter,
  countRanges: readonly CountedRange[],
  offset: number,
): Promise<PageStart> {
  const within = stretchAt(countRanges, offset);
  if (!within) return { beforeMs: Number.NEGATIVE_INFINITY };
  if (!within.stretch.isDay) return { beforeMs: within.stretch.toMs, skip: within.skip };
  const hours = await log.hoursOf(filter, within.stretch);
  const hour = stretchAt(hours, within.skip);
  // Counts that grew between the two questions: the day's own end is as good a place to continue from.
  return hour
    ? { beforeMs: hour.stretch.toMs, skip: hour.skip }
    : { beforeMs: within.stretch.toMs, skip: within.skip };
}

function stretchAt(countRanges: readonly CountedRange[], offset: number) {
  let skip = offset;
  for (const stretch of countRanges) {
    if (skip < stretch.calls) return { stretch, skip };
    skip -= stretch.calls;
  }
  return undefined;
}

function positionOf({ createdAt, id }: ApiLog): Position {
  return { atMs: Date.parse(createdAt), id };
}
