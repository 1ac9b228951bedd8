import { expect, test } from 'vitest';
import { chartPage, chartSchema, chartValues } from './docs-chart.ts';
import { readPage } from './generated-pages.ts';

test("the chart's README shows every value as values.yaml has it (npm run docs)", () => {
  expect(readPage('charts/casewatch/README.md')).toBe(chartPage());
  expect(readPage('charts/casewatch/values.schema.json')).toBe(chartSchema());
});

test('a value comes with its type, its default and a sentence of what it does', () => {
  const values = new Map(chartValues().map((value) => [value.name, value]));
  expect(values.get('kafka.partitions')).toMatchObject({ type: 'integer', default: '`6`' });
  expect(values.get('kafka.saslMechanism')?.type).toBe('empty, plain, scram-sha-256, scram-sha-512, oauthbearer');
  expect(values.get('defaults.drainSeconds')?.type).toBe('integer');
  for (const { name, description } of values.values()) expect(description, name).toMatch(/^[A-Z`].{10,}\.$/s);
});
