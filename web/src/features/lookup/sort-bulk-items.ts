import type { BulkResultItem } from '@casewatch/contracts/cases';
import { readAgencyDate } from '../../lib/format-agency-date.ts';

const ORDERS = ['asked', 'action', 'updated'] as const;

/** In which order the results of a bulk search stand: as asked, what needs action first, or the newest change first. */
export type BulkOrder = (typeof ORDERS)[number];

/** Returns the order of that name; as asked for any other name. */
export function bulkOrder(name: string): BulkOrder {
  return ORDERS.find((order) => order === name) ?? 'asked';
}

/** Sorts the results of a bulk search. What is alike, and what has no status, stays in the order asked. */
export function sortBulkItems(items: readonly BulkResultItem[], order: BulkOrder): readonly BulkResultItem[] {
  if (order === 'asked') return items;
  const rank = ({ data }: BulkResultItem) =>
    order === 'action'
      ? Number(data?.needsAction === true)
      : (readAgencyDate(data?.caseLastUpdated ?? null)?.getTime() ?? 0);
  return [...items].sort((one, other) => rank(other) - rank(one));
}
