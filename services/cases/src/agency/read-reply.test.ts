import { expect, test } from 'vitest';
import type { FailureKind } from '../domain/agency-failure.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { parseJson, readErrorMessage, readStatusReply, readTokenReply } from './read-reply.ts';

const NUMBER = 'EAC9999103403';
const answer = (status: number, body = '', isHtml = false): AgencyHttpResult => ({
  kind: 'answer',
  status,
  body,
  isHtml,
  isUtf8: true,
});
const message = (message: string) => JSON.stringify({ message });

test.each<[AgencyHttpResult, FailureKind, string | undefined]>([
  [answer(200, '<html>', true), 'maintenance', undefined],
  [answer(200, '{"case_status":{}}', true), 'unreadable', undefined],
  [answer(200, 'x'), 'unreadable', undefined],
  [answer(401), 'credentials', undefined],
  [answer(403, message('No access.')), 'credentials', 'No access.'],
  [answer(404), 'unreadable', undefined],
  [answer(422, message('Too short.')), 'refused', 'Too short.'],
  [answer(422), 'unreadable', undefined],
  [answer(429, message('Too fast.')), 'rate-limited', 'Too fast.'],
  [answer(429), 'rate-limited', undefined],
  [answer(429, message('Quota violation.')), 'quota-spent', 'Quota violation.'],
  [answer(503, message('Closed.')), 'unavailable', 'Closed.'],
  [answer(500, message('Oops.')), 'unexpected', 'Oops.'],
  [answer(302), 'unexpected', undefined],
  [{ kind: 'timeout', detail: 'x' }, 'timeout', undefined],
  [{ kind: 'unreachable', detail: 'x' }, 'unreachable', undefined],
  [{ kind: 'unreadable', detail: 'x' }, 'unreadable', undefined],
])('the reply %j about a case is a failure: %s, in the words %j', (reply, kind, agencyMessage) => {
  const result = readStatusReply(reply, NUMBER, []);
  if (result.kind !== 'failure') return expect.fail(result.kind);
  expect(result.failure).toMatchObject({ kind });
  expect(result.failure.agencyMessage).toBe(agencyMessage);
  expect(result.failure.detail).toBeTruthy();
});

test('an answer about the case is its status, and one of broken bytes is none', () => {
  const status = { receiptNumber: NUMBER, current_case_status_text_en: 'Case Was Approved' };
  const reply = answer(200, JSON.stringify({ case_status: status }));
  expect(readStatusReply(reply, NUMBER, [])).toMatchObject({
    kind: 'case',
    case: { receiptNumber: NUMBER, status: 'Case Was Approved' },
  });
  expect(readStatusReply({ ...reply, isUtf8: false } as AgencyHttpResult, NUMBER, [])).toEqual({
    kind: 'failure',
    failure: { kind: 'unreadable', detail: 'not UTF-8' },
  });
});

test('only the agency’s own words make a 404 "not recognized"', () => {
  expect(readStatusReply(answer(404, message('Not found.')), NUMBER, [])).toEqual({
    kind: 'not-recognized',
    agencyMessage: 'Not found.',
  });
});

test.each<[AgencyHttpResult, FailureKind]>([
  [answer(200, '{}'), 'unreadable'],
  [answer(200, '{"access_token":"t"}', true), 'maintenance'],
  [answer(400), 'credentials'],
  [answer(499), 'credentials'],
  [answer(399), 'unexpected'],
  [answer(429), 'rate-limited'],
  [answer(500), 'unexpected'],
  [answer(503), 'unavailable'],
  [{ kind: 'timeout', detail: 'x' }, 'timeout'],
])('the reply %j instead of a token is a failure: %s', (reply, kind) => {
  expect(readTokenReply(reply)).toMatchObject({ failure: { kind } });
});

test('a token of broken bytes is none', () => {
  const token = { access_token: 't', expires_in: '1799' };
  const good = answer(200, JSON.stringify(token));
  expect(readTokenReply(good)).toEqual({ token: 't', livesMs: 1_799_000 });
  expect(readTokenReply({ ...good, isUtf8: false } as AgencyHttpResult)).toMatchObject({
    failure: { kind: 'unreadable' },
  });
});

test.each([
  [{ errors: [{ message: 'First.' }, { code: 2 }], message: 'Other.' }, 'First.'],
  [{ error: { code: 1, message: 'Nested.' } }, 'Nested.'],
  [{ code: 1, message: ' <b>Flat</b>&nbsp;words. ' }, 'Flat words.'],
])('the agency’s words in %j are one plain line', (body, message) => {
  expect(readErrorMessage(JSON.stringify(body))).toBe(message);
});

test.each([
  '',
  'Not Found',
  '<html></html>',
  '{}',
  '[]',
  '{"message":" "}',
  '{"message":7}',
  '{"errors":[]}',
])('%j holds none of the agency’s words', (body) => {
  expect(readErrorMessage(body)).toBeUndefined();
});

test('long words are cut to 500 characters at a word, and very long ones are not the agency’s', () => {
  const read = (message: string) => readErrorMessage(JSON.stringify({ message }));
  expect(read('x'.repeat(500))).toBe('x'.repeat(500));
  expect(read('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  expect(read(`${'word '.repeat(200)}end`)).toBe(`${'word '.repeat(99)}word…`);
  expect(read(`${'x'.repeat(499)} y`)).toBe(`${'x'.repeat(499)}…`);
  expect(read('x'.repeat(2_001))).toBeUndefined();
});

test.each([
  ['Go to <a href="https://evil.example">this page</a> <script>x()</script>now', 'Go to this page now'],
  ['&lt;b&gt;Bold&lt;/b&gt; &amp;amp; &amp;lt;', 'b>Bold/b> &amp; &lt;'],
  ['One\u0007\u202Etwo\n\tthree', 'Onetwo three'],
])('the agency’s words %j are text: %j', (words, shown) => {
  expect(readErrorMessage(JSON.stringify({ message: words }))).toBe(shown);
});

test('words that are markup alone are none', () => {
  expect(readErrorMessage(message('<img src=x onerror=y>'))).toBeUndefined();
});

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('JSON up to 20 levels is parsed', () => {
  expect(parseJson('{"a":[{"b":null}]}')).toEqual({ value: { a: [{ b: null }] } });
  expect(parseJson(nested(20))).toHaveProperty('value');
});

test.each([
  ['arrays', nested(21)],
  ['objects', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`],
  ['arrays that never close', '['.repeat(100_000)],
])('%s nested deeper are refused before they are parsed', (_name, text) => {
  expect(parseJson(text)).toEqual({ problem: 'JSON nested more than 20 levels deep' });
});

test('brackets in texts are no levels', () => {
  const value = { [`[{"\\${'['.repeat(50)}`]: `\\"${'{'.repeat(50)}` };
  expect(parseJson(JSON.stringify(value))).toEqual({ value });
});

test('a long list on one level is parsed', () => {
  const value = Array.from({ length: 200 }, (_, nth) => ({ nth: [nth] }));
  expect(parseJson(JSON.stringify(value))).toEqual({ value });
});

test.each(['', '{"a":', 'no', '\0', '"'])('%j is not JSON', (text) => {
  expect(parseJson(text)).toEqual({ problem: 'not JSON' });
});
