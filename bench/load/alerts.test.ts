import { expect, test } from 'vitest';
import { trueAlerts } from './alerts.ts';

const alerts = [
  { alert: 'Late', forSeconds: 60 },
  { alert: 'Away', forSeconds: 120 },
];
const scrapes = (...names: string[]) => names.map((text) => new Set(text.split(' ').filter(Boolean)));

test('an alert fires once its expression has been true for as long as it waits, without a break', () => {
  const seen = scrapes('Late', 'Late Away', 'Late Away', 'Late Away', 'Late', 'Away', 'Away', '');
  expect(trueAlerts(alerts, seen, 15)).toEqual([
    { alert: 'Late', longestSeconds: 60, fires: true },
    { alert: 'Away', longestSeconds: 30, fires: false },
  ]);
});

test('alerts that were never true are not named', () => {
  expect(trueAlerts(alerts, scrapes('', ''), 15)).toEqual([]);
});
