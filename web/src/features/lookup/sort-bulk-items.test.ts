import type { BulkResultItem } from '@casewatch/contracts/cases';
import { expect, test } from 'vitest';
import { caseResult } from '../../../test/samples.ts';
import { bulkOrder, sortBulkItems } from './sort-bulk-items.ts';

const [OLD, FAILED, URGENT, NEW] = ['EAC0000000001', 'EAC0000000002', 'EAC0000000003', 'EAC0000000004'];
const found = (
  receiptNumber: string,
  caseLastUpdated: string | null,
  needsAction = false,
): BulkResultItem => ({
  success: true,
  receiptNumber,
  data: caseResult(receiptNumber, { caseLastUpdated, needsAction }),
});
const ITEMS: readonly BulkResultItem[] = [
  found(OLD, '09-05-2023 14:28:46'),
  { success: false, receiptNumber: FAILED },
  found(URGENT, null, true),
  found(NEW, '2024-02-29'),
];

test.for([
  ['asked', [OLD, FAILED, URGENT, NEW]],
  ['action', [URGENT, OLD, FAILED, NEW]],
  ['updated', [NEW, OLD, FAILED, URGENT]],
  ['anything else', [OLD, FAILED, URGENT, NEW]],
] as const)('in the order %s, what is alike stays as asked', ([name, expected]) => {
  expect(sortBulkItems(ITEMS, bulkOrder(name)).map(({ receiptNumber }) => receiptNumber)).toEqual(expected);
});
