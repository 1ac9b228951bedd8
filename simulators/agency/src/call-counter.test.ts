import { expect, it } from 'vitest';
import { createCallCounter } from './call-counter.ts';

it('forgets the receipt numbers first seen longest ago, and never the grand total', () => {
  const counter = createCallCounter(2);
  for (const receiptNumber of ['A', 'B', 'A', 'C']) counter.record(receiptNumber, 0);
  expect(counter.figures('A').total).toBe(0);
  expect(counter.figures('B').total).toBe(1);
  expect(counter.figures('C').total).toBe(1);
  expect(counter.figures().total).toBe(4);
});
