import { readSettings, SettingsError } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

const read = (env: Record<string, string> = {}) => readSettings(settings, env);

test.each<[keyof typeof settings, lowest: number, usual: number, highest: number]>([
  ['MONITORING_BATCH', 1, 100, 100],
  ['MONITORING_BATCHES_AT_ONCE', 1, 2, 16],
  ['MONITORING_LEASE_SECONDS', 10, 60, 3_600],
  ['MONITORING_POLL_MS', 10, 1_000, 60_000],
  ['MONITORING_DATABASE_CONNECTIONS', 1, 8, 1_000],
])('%s is a whole number from %i, by default %i, to %i', (name, lowest, usual, highest) => {
  expect(read()[name]).toBe(usual);
  for (const allowed of [lowest, highest]) expect(read({ [name]: String(allowed) })[name]).toBe(allowed);
  for (const wrong of [lowest - 1, highest + 1, usual + 0.5, 'x']) {
    expect(() => read({ [name]: String(wrong) })).toThrow(SettingsError);
  }
});

test('the scale of the periods is any number above 0', () => {
  expect(read().MONITORING_PERIOD_SCALE).toBe(1);
  expect(read({ MONITORING_PERIOD_SCALE: '0.0001' }).MONITORING_PERIOD_SCALE).toBe(0.0001);
  for (const wrong of ['0', '-1', 'x']) {
    expect(() => read({ MONITORING_PERIOD_SCALE: wrong })).toThrow(SettingsError);
  }
});
