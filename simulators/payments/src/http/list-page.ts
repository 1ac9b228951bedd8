import type { List } from '../documents.ts';
import { resourceMissing } from '../stripe-error.ts';

const DEFAULT_LIMIT = 10;

export interface PageParams {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** One page, newest first, of documents given oldest first. @throws StripeError for an unknown cursor. */
export function listPage<T extends { id: string }>(
  documents: Iterable<T>,
  url: string,
  { limit = DEFAULT_LIMIT, starting_after, ending_before }: PageParams,
): List<T> {
  const newestFirst = [...documents].reverse();
  if (ending_before !== undefined) {
    const end = positionOf(newestFirst, ending_before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: newestFirst.slice(start, end), has_more: start > 0, url };
  }
  const start =
    starting_after === undefined ? 0 : positionOf(newestFirst, starting_after, 'starting_after') + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < newestFirst.length, url };
}

function positionOf(documents: { id: string }[], id: string, param: string): number {
  const position = documents.findIndex((each) => each.id === id);
  if (position < 0) throw resourceMissing('object', id, param, 400);
  return position;
}

export interface TimeRange {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
}

export function isWithin(seconds: number, range: TimeRange | undefined): boolean {
  if (range === undefined) return true;
  const { gt, gte, lt, lte } = range;
  return (
    (gt === undefined || seconds > gt) &&
    (gte === undefined || seconds >= gte) &&
    (lt === undefined || seconds < lt) &&
    (lte === undefined || seconds <= lte)
  );
}
