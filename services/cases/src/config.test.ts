import { readSettings, SettingsError } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

const read = (env: Record<string, string> = {}) => readSettings(settings, env);

test.each<[keyof typeof settings, lowest: number, usual: number, highest: number]>([
  ['AGENCY_CALLS_PER_SECOND', 1, 5, 100_000],
  ['AGENCY_CALLS_PER_DAY', 1, 1_000, 2_000_000_000],
  ['AGENCY_WEIGHT_PRO', 1, 4, 100],
  ['AGENCY_WEIGHT_FREE', 1, 1, 100],
  ['AGENCY_TIMEOUT_MS', 100, 8_000, 60_000],
  ['AGENCY_REST_MS', 100, 15_000, 3_600_000],
  ['BUDGET_WAIT_MS', 0, 4_000, 60_000],
  ['FRESHNESS_SECONDS', 0, 60, 86_400],
  ['NOT_RECOGNISED_SECONDS', 0, 300, 86_400],
  ['CASES_DATABASE_CONNECTIONS', 1, 10, 1_000],
])('%s is a whole number from %i, by default %i, to %i', (name, lowest, usual, highest) => {
  expect(read()[name]).toBe(usual);
  for (const allowed of [lowest, highest]) expect(read({ [name]: String(allowed) })[name]).toBe(allowed);
  for (const wrong of [lowest - 1, highest + 1, usual + 0.5, 'x']) {
    expect(() => read({ [name]: String(wrong) })).toThrow(SettingsError);
  }
});

test.each<[keyof typeof settings, usual: number]>([
  ['AGENCY_MONITORING_SHARE', 0.5],
  ['LOOKUP_LOG_STORED_SHARE', 1],
])('%s is a share, by default %f', (name, usual) => {
  expect(read()[name]).toBe(usual);
  for (const allowed of ['0', '0.25', '1']) expect(read({ [name]: allowed })[name]).toBe(Number(allowed));
  for (const wrong of ['-0.01', '1.01', 'half']) expect(() => read({ [name]: wrong })).toThrow(SettingsError);
});

test('the agency is its sandbox by default, and any http or https URL', () => {
  expect(read().AGENCY_BASE_URL).toBe('https://api-int.uscis.gov');
  expect(read({ AGENCY_BASE_URL: 'http://localhost:1' }).AGENCY_BASE_URL).toBe('http://localhost:1');
  for (const wrong of ['ftp://agency', 'agency', 'xhttp://agency', 'httpsx://agency']) {
    expect(() => read({ AGENCY_BASE_URL: wrong })).toThrow('must be an http or https URL');
  }
});

test('hosts of links are names, separated by commas', () => {
  expect(read().AGENCY_LINK_HOSTS).toEqual(['uscis.gov', 'dhs.gov', 'travel.state.gov', 'tools.usps.com']);
  expect(read({ AGENCY_LINK_HOSTS: 'USCIS.gov, a-b.example.org' }).AGENCY_LINK_HOSTS).toEqual([
    'uscis.gov',
    'a-b.example.org',
  ]);
  const tooLong = `${'a'.repeat(64)}.gov`;
  for (const wrong of [
    'gov',
    'https://uscis.gov',
    'uscis.gov,',
    '-a.gov',
    'a-.gov',
    'a.g',
    tooLong,
    'a.gov/x',
  ]) {
    expect(() => read({ AGENCY_LINK_HOSTS: wrong }), wrong).toThrow(
      'must be host names, separated by commas',
    );
  }
});
