import { expect, test } from 'vitest';
import { alertExpressions } from '../alert-expressions.ts';
import { DRILLS } from './drills.ts';
import { WITHOUT_DRILL } from './upkeep-drills.ts';

const alerts = alertExpressions('distributed').map(({ alert }) => alert);

test('every alert has one drill, or a reason that it has none', () => {
  const without = Object.keys(WITHOUT_DRILL);
  expect([...DRILLS.map(({ alert }) => alert), ...without].sort()).toEqual([...alerts].sort());
});

test('another alert that a drill allows exists, and has its reason', () => {
  for (const { alert, also = {} } of DRILLS) {
    for (const [other, reason] of Object.entries(also)) {
      expect(alerts, alert).toContain(other);
      expect(reason.length, `${alert}: ${other}`).toBeGreaterThan(20);
    }
  }
});

test('a drill judges scraped series alone: no expression names a recorded one', () => {
  for (const { alert, expr, forSeconds } of alertExpressions('distributed')) {
    expect(expr, alert).not.toContain('casewatch:');
    expect(forSeconds, alert).toBeGreaterThan(0);
  }
});
