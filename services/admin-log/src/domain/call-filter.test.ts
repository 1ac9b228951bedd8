import type { LogFilters } from '@casewatch/contracts/admin-log';
import { parseLogSearch } from '@casewatch/contracts/log-search';
import { expect, test } from 'vitest';
import { type CallFilter, toCallFilter } from './call-filter.ts';

const USER = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';
const at = (time: string) => Date.parse(`2026-01-05T${time}Z`);
const filterOf = (search: string, form: LogFilters = {}) =>
  toCallFilter({ ...form, q: parseLogSearch(search) });

test.each<[LogFilters, CallFilter]>([
  [{}, {}],
  [{ receiptNumber: '', user: '  ' }, {}],
  [{ receiptNumber: 'eac-99 9910 3403' }, { receiptNumber: 'EAC9999103403' }],
  [{ receiptNumber: 'eac-99' }, { receiptStart: 'EAC99' }],
  [{ user: ` ${USER.toUpperCase()} ` }, { userId: USER }],
  [{ user: ' Željka ' }, { nameStart: 'Željka' }],
  [{ user: `${USER}0` }, { nameStart: `${USER}0` }],
  [
    { source: 'user', statusCode: 404 },
    { source: 'user', statusCode: 404 },
  ],
  [
    { from: '2026-01-05T08:00:00Z', to: '2026-01-05T09:00:00Z' },
    { fromMs: at('08:00:00'), toMs: at('09:00:00') },
  ],
])('the form %j asks for %j', (form, expected) => {
  expect(toCallFilter(form)).toEqual(expected);
});

const condition = (field: string, rest: object) => ({ conditions: [{ field, isNot: false, ...rest }] });

test.each<[string, object]>([
  ['success:true', { success: true }],
  ['success:false', { success: false }],
  ['-success:true', { success: false }],
  ['-success:false', { success: true }],
  ['source:user', { source: 'user' }],
  ['-source:user', condition('source', { words: ['user'], isNot: true })],
  ['source:user,monitor', condition('source', { words: ['user', 'monitor'] })],
  ['status:404', { statusCode: 404 }],
  ['-status:404', condition('status', { from: 404, to: 404, isNot: true })],
  ['status:400..404', condition('status', { from: 400, to: 404 })],
  ['ms:10', condition('ms', { from: 10, to: 10 })],
  [
    'ms:10 tier:pro',
    {
      conditions: [
        { field: 'ms', from: 10, to: 10, isNot: false },
        { field: 'tier', words: ['pro'], isNot: false },
      ],
    },
  ],
  ['trace:4BF92F3577B34DA6A3CE929D0E0E4736', { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }],
  [
    'request:7B0F-1A52',
    {
      request: {
        first: '7b0f1a52-0000-0000-0000-000000000000',
        last: '7b0f1a52-ffff-ffff-ffff-ffffffffffff',
      },
    },
  ],
  ['created:>=2026-01-05T08:00', { fromMs: at('08:00:00') }],
  ['created:<2026-01-05T08:00', { toMs: at('08:00:00') }],
  [
    'created:>=2026-01-05T08:00 created:>=2026-01-05T09:00 created:<2026-01-05T11:00 created:<2026-01-05T10:00',
    { fromMs: at('09:00:00'), toMs: at('10:00:00') },
  ],
])('the search %s asks for what it says', (search, expected) => {
  expect(filterOf(search)).toEqual(expected);
});

test('times of the search narrow those of the form, and never widen them', () => {
  const form = { from: '2026-01-05T08:00:00Z', to: '2026-01-05T10:00:00Z' };
  expect(filterOf('created:>=2026-01-05T09:00', form)).toEqual({
    fromMs: at('09:00:00'),
    toMs: at('10:00:00'),
  });
  expect(filterOf('created:2026-01-05', form)).toEqual({ fromMs: at('08:00:00'), toMs: at('10:00:00') });
});

test.each<[string, LogFilters, string]>([
  ['receipt:EAC', { receiptNumber: 'EAC1' }, 'Use receipt either'],
  ['user:ana', { user: 'ana' }, 'Use user either'],
  ['user:ana', { user: USER }, 'Use user either'],
  ['success:true', { success: true }, 'Use success either'],
  ['source:user', { source: 'user' }, 'Use source either'],
  ['status:404', { statusCode: 404 }, 'Use status either'],
  ['-created:2026-01-05', {}, '- does not work with created'],
])('the search %s together with the form %j is refused', (search, form, message) => {
  const refusal = expect.objectContaining({
    code: 'VALIDATION',
    details: [{ path: 'q', message: expect.stringContaining(message) }],
  });
  expect(() => filterOf(search, form)).toThrow(refusal);
});
