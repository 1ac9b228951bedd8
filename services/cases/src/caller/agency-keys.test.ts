import { readSettings } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from '../config.ts';
import { readAgencyKeys } from './agency-keys.ts';

const NOW_MS = Date.parse('2026-03-10T12:00:00Z');
const KEYS = { AGENCY_CLIENT_ID: 'one', AGENCY_CLIENT_SECRET: 'hidden-one' };
const NEXT = { AGENCY_NEXT_CLIENT_ID: 'two', AGENCY_NEXT_CLIENT_SECRET: 'hidden-two' };
const read = (env: Record<string, string>) => readAgencyKeys(readSettings(settings, env), NOW_MS);

test('keys live for 90 days from the day of their issue, unless another number is set', () => {
  expect(read(KEYS)).toEqual([
    { name: 'current', clientId: 'one', clientSecret: 'hidden-one', endsMs: undefined },
  ]);
  const endOf = (env: Record<string, string>) =>
    read({ ...KEYS, AGENCY_KEY_ISSUED: '2026-03-01', ...env })[0]?.endsMs;
  expect(endOf({})).toBe(Date.parse('2026-05-30'));
  expect(endOf({ AGENCY_KEY_DAYS: '365' })).toBe(Date.parse('2027-03-01'));
});

test('of two sets of keys the next one is the first', () => {
  expect(read({ ...KEYS, ...NEXT }).map(({ clientId }) => clientId)).toEqual(['two', 'one']);
});

test('a day that has begun somewhere on earth is not in the future', () => {
  expect(read({ ...KEYS, AGENCY_KEY_ISSUED: '2026-03-11' })).toHaveLength(1);
});

test.each([
  [{}, /AGENCY_CLIENT_ID: must be set\n {2}AGENCY_CLIENT_SECRET: must be set$/],
  [{ ...NEXT }, /AGENCY_CLIENT_ID: must be set\n {2}AGENCY_CLIENT_SECRET: must be set$/],
  [{ ...KEYS, AGENCY_NEXT_CLIENT_ID: 'two' }, /AGENCY_NEXT_CLIENT_SECRET: must be set with the other half/],
  [
    { ...KEYS, AGENCY_NEXT_CLIENT_SECRET: 'hidden-two' },
    /AGENCY_NEXT_CLIENT_ID: must be set with the other half/,
  ],
  [
    { ...KEYS, ...NEXT, AGENCY_NEXT_CLIENT_ID: 'one' },
    /AGENCY_NEXT_CLIENT_ID: is the same as AGENCY_CLIENT_ID/,
  ],
  [{ ...KEYS, AGENCY_KEY_ISSUED: '2026-03-12' }, /AGENCY_KEY_ISSUED: is in the future/],
  [{ ...KEYS, ...NEXT, AGENCY_NEXT_KEY_ISSUED: '2062-03-01' }, /AGENCY_NEXT_KEY_ISSUED: is in the future/],
  [
    { ...KEYS, AGENCY_NEXT_KEY_ISSUED: '2026-03-01' },
    /AGENCY_NEXT_KEY_ISSUED: is set without AGENCY_NEXT_CLIENT_ID/,
  ],
  [
    { ...KEYS, ...NEXT, AGENCY_KEY_ISSUED: '2026-03-01', AGENCY_NEXT_KEY_ISSUED: '2026-02-28' },
    /AGENCY_NEXT_KEY_ISSUED: is before AGENCY_KEY_ISSUED/,
  ],
  [{ ...KEYS, AGENCY_KEY_ISSUED: '2026-02-30' }, /AGENCY_KEY_ISSUED: must be a day such as 2026-03-01/],
  [{ ...KEYS, AGENCY_KEY_ISSUED: '03/01/2026' }, /AGENCY_KEY_ISSUED: must be a day such as 2026-03-01/],
  [{ ...KEYS, AGENCY_KEY_DAYS: '0' }, /AGENCY_KEY_DAYS: /],
])('%j is refused, without a secret: %s', (env, problem) => {
  expect(() => read(env)).toThrow(problem);
  expect(() => read(env)).not.toThrow('hidden');
});
