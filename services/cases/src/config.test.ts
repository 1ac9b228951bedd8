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
  for (const wrong of ['https://me@agency.example', 'https://:hidden@agency.example']) {
    expect(() => read({ AGENCY_BASE_URL: wrong })).toThrow('must have no user name or password');
  }
  for (const wrong of ['https://agency.example?key=hidden', 'https://agency.example/api/#hidden']) {
    expect(() => read({ AGENCY_BASE_URL: wrong })).toThrow('must have no ? and no #');
    expect(() => read({ AGENCY_BASE_URL: wrong })).not.toThrow('hidden');
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

test('further headers of the agency are a JSON object of texts, and none by default', () => {
  expect(read().AGENCY_HEADERS).toBeUndefined();
  const given = { 'X-Request-Source': 'casewatch', 'X-Quote': 'a "b" c' };
  expect(read({ AGENCY_HEADERS: JSON.stringify(given) }).AGENCY_HEADERS).toEqual(given);
});

const NO_OBJECT = 'must be a JSON object of texts';
test.each([
  ['X-Key: hidden-value', NO_OBJECT],
  ['["hidden-value"]', NO_OBJECT],
  ['{"X-Key":7}', NO_OBJECT],
  ['{"X-Key":{"a":"hidden-value"}}', NO_OBJECT],
  ['{"X Key":"hidden-value"}', 'no name of a header'],
  ['{"":"hidden-value"}', 'no name of a header'],
  ['{"Authorization":"hidden-value"}', 'must not set Authorization'],
  ['{"HOST":"hidden-value"}', 'must not set HOST'],
  ['{"demo_id":"hidden-value"}', 'must not set demo_id'],
  ['{"Proxy-Authorization":"hidden-value"}', 'must not set Proxy-Authorization'],
  ['{"Content-Length":"hidden-value"}', 'must not set Content-Length'],
  ['{"X-Key":"hidden-value","x-key":"b"}', 'names a header twice'],
  ['{"X-Key":"hidden-value","X-Key":"b"}', 'names a header twice'],
  ['{"X-Key":"hidden-value\\r\\nHost: b"}', 'the value of X-Key must be visible ASCII'],
  ['{"X-Key":""}', 'the value of X-Key must be visible ASCII'],
  ['{"X-Key":" hidden-value"}', 'the value of X-Key must be visible ASCII'],
  [`{"X-Key":"${'hidden-value'.repeat(1_000)}"}`, 'must have at most 8000 characters'],
])('headers %j are refused: %s', (AGENCY_HEADERS, problem) => {
  const attempt = () => read({ AGENCY_HEADERS });
  expect(attempt).toThrow(/^These settings are wrong:\n {2}AGENCY_HEADERS: .*$/);
  expect(attempt).toThrow(problem);
  expect(attempt).not.toThrow('hidden-value');
});
