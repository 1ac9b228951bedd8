import { expect, test } from 'vitest';
import { LOG_SEARCH_HELP, LogSearchError, parseLogSearch } from './log-search.ts';

const DAY = Date.parse('2026-11-01T00:00:00Z');
const MAX = Number.MAX_SAFE_INTEGER;
const MIN = Number.MIN_SAFE_INTEGER;

test.each([
  ['', []],
  ['receipt:WAC24*', [{ key: 'receipt', text: 'WAC24' }]],
  ['EAC-9999-103403', [{ key: 'receipt', text: 'EAC-9999-103403' }]],
  ['user:"maria jo"', [{ key: 'user', text: 'maria jo' }]],
  ['"say \\"hi\\""', [{ key: 'user', text: 'say "hi"' }]],
  ['maria@example.org', [{ key: 'user', text: 'maria@example.org' }]],
  ['7b0f1a52-5c0e', [{ key: 'request', text: '7b0f1a52-5c0e' }]],
  ['Request:7b0f1a52', [{ key: 'request', text: '7b0f1a52' }]],
  ['outcome:fault,quota', [{ key: 'outcome', words: ['fault', 'quota'], isNot: false }]],
  ['-status:404', [{ key: 'status', from: 404, to: 404, isNot: true }]],
  ['status:5xx', [{ key: 'status', from: 500, to: 599, isNot: false }]],
  ['ms:>2000', [{ key: 'ms', from: 2_001, to: MAX, isNot: false }]],
  ['ms:<=20', [{ key: 'ms', from: MIN, to: 20, isNot: false }]],
  ['created:>=2026-11-01', [{ key: 'created', from: DAY, to: MAX, isNot: false }]],
  ['created:>2026-11-01', [{ key: 'created', from: DAY + 86_400_000, to: MAX, isNot: false }]],
  [
    'created:2026-11-01T10:03',
    [{ key: 'created', from: DAY + 36_180_000, to: DAY + 36_239_999, isNot: false }],
  ],
  [
    'created:2026-11-01..2026-11-02',
    [{ key: 'created', from: DAY, to: DAY + 2 * 86_400_000 - 1, isNot: false }],
  ],
  ['ms:<20', [{ key: 'ms', from: MIN, to: 19, isNot: false }]],
  ['ms:>=20', [{ key: 'ms', from: 20, to: MAX, isNot: false }]],
  ['ms:5..999999999', [{ key: 'ms', from: 5, to: 999_999_999, isNot: false }]],
  ['ms:7..7', [{ key: 'ms', from: 7, to: 7, isNot: false }]],
  ['-status:1XX', [{ key: 'status', from: 100, to: 199, isNot: true }]],
  [
    '  user:ma*   tier:,PRO ',
    [
      { key: 'user', text: 'ma' },
      { key: 'tier', words: ['pro'], isNot: false },
    ],
  ],
  ['-outcome:fault', [{ key: 'outcome', words: ['fault'], isNot: true }]],
  ['request:7b0f', [{ key: 'request', text: '7b0f' }]],
  ['7b0f1a52-5*', [{ key: 'request', text: '7b0f1a52-5' }]],
  ['created:2026-11-01t00:00:01Z', [{ key: 'created', from: DAY + 1_000, to: DAY + 1_999, isNot: false }]],
  ['created:2026-11-01T00:00:01.5', [{ key: 'created', from: DAY + 1_500, to: DAY + 1_500, isNot: false }]],
  ['created:<2026-11-01T02:00:00+02:00', [{ key: 'created', from: MIN, to: DAY - 1, isNot: false }]],
])('%j is read', (text, terms) => {
  expect(parseLogSearch(text)).toEqual(terms);
});

test.each([
  ['color:red', /Unknown key "color". You can use receipt, user, .*created/],
  ['outcome:nice', /"nice" is not valid for outcome. You can use answered, stored/],
  ['code:oops', /"oops" is not valid for code. You can use .*timeout/],
  ['receipt:', /missing its value, as in receipt:WAC24\*/],
  ['receipt:WA*24', /Use \* only at the end/],
  ['user:"maria', /quotation mark is missing/],
  ['user:a user:b', /Use user only once/],
  ['-user:maria', /- works with/],
  ['user:>5', /> works with ms, status and created/],
  ['ms:fast', /whole number, as in ms:>2000/],
  ['created:yesterday', /a day or a time/],
  ['created:2026-13-41', /a day or a time/],
  ['created:2026-02-30', /a day or a time/],
  ['created:2026-09-01..2026-09-31', /a day or a time/],
  ['created:2026-11-02..2026-11-01', /ends before it begins/],
  ['request:zzz', /digits 0-9 and a-f/],
  ['request:7b0', /at least its first four/],
  [`trace:${'a'.repeat(31)}`, /A trace ID has 32 digits/],
  ['receipt:*', /Use \* only at the end/],
  ['outcome:,', /"," is not valid for outcome/],
  ['ms:1234567890', /whole number/],
  ['status:6xx', /whole number, as in -status:404/],
  ['ms:>5..9', /Use either > or \.\. for ms/],
  ['ms:9..8', /ms:9\.\.8 ends before it begins/],
  ['maria jo', /Use user only once/],
  ['color:', /color: is missing its value, as in receipt:WAC24\*/],
])('%j is refused with what is possible', (text, message) => {
  expect(() => parseLogSearch(text)).toThrow(LogSearchError);
  expect(() => parseLogSearch(text)).toThrow(message);
});

test('every example of the help can be searched', () => {
  for (const [key, { example }] of Object.entries(LOG_SEARCH_HELP)) {
    expect(parseLogSearch(example)).toEqual([expect.objectContaining({ key })]);
  }
});
