import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertExpressions } from './alert-expressions.ts';
import { STORE_ALERTS } from './mixin/store-alerts.ts';

const page = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## Dependencies\n');
const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.*) \|$/gm)]
  .map(([, cells = '']) => cells.split(' | '))
  .slice(1);
const ALERTS = [
  ...alertExpressions('distributed'),
  ...STORE_ALERTS.map(({ alert, runbook }) => ({ alert, runbook: `docs/runbooks/${runbook}` })),
];

test('the table of dependencies has them all', () => {
  const named = rows.map(([dependency]) => dependency);
  expect(named).toEqual([
    'PostgreSQL',
    'Kafka',
    'Redis',
    'DNS',
    'agency',
    'Stripe',
    'mail server',
    'push services',
    'their disks, copies and backups',
  ]);
});

test.each(rows)(
  '%s: its alerts exist and lead to the runbooks of its row',
  (_, seen, alerts = '', runbooks = '') => {
    expect(seen).not.toBe('');
    const named = [...alerts.matchAll(/`(\w+)`/g)].map(([, alert]) => alert);
    expect(named.length).toBeGreaterThan(0);
    const found = ALERTS.filter(({ alert }) => named.includes(alert));
    expect(found.map(({ alert }) => alert).sort()).toEqual(named.sort());
    const linked = [...runbooks.matchAll(/\((runbooks\/[\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`);
    expect(linked.sort()).toEqual([...new Set(found.map(({ runbook }) => runbook))].sort());
  },
);
