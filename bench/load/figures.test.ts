import { expect, test } from 'vitest';
import { brokenThresholds, figuresOf, parseSummary } from './figures.ts';

const summary = parseSummary(
  JSON.stringify({
    state: { isStdOutTTY: false, testRunDurationMs: 10_000 },
    metrics: {
      http_reqs: { type: 'counter', values: { count: 30, rate: 3 } },
      'http_reqs{kind:list}': { values: { count: 20 }, thresholds: { 'count>=0': { ok: true } } },
      'http_reqs{kind:bulk}': { values: { count: 0 } },
      'http_req_duration{kind:list}': {
        values: { med: 4, 'p(95)': 900, 'p(99)': 950 },
        thresholds: { 'p(95)<300': { ok: false } },
      },
      'http_req_failed{kind:list}': { values: { rate: 0.05 } },
    },
  }),
);

test('the figures of each kind that was sent are read from the summary', () => {
  expect(figuresOf(summary, 'kind')).toEqual([
    expect.objectContaining({
      name: 'list',
      requests: 20,
      perSecond: 2,
      p50Ms: 4,
      p99Ms: 950,
      failedShare: 0.05,
    }),
  ]);
  expect(figuresOf(summary)).toEqual([expect.objectContaining({ name: 'all', requests: 30, perSecond: 3 })]);
});

test('a threshold that does not hold is named with its metric', () => {
  expect(brokenThresholds(summary)).toEqual(['http_req_duration{kind:list}: p(95)<300']);
});
