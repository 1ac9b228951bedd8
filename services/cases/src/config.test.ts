import { readSettings } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

const read = (env: Record<string, string> = {}) => readSettings(settings, env);

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
