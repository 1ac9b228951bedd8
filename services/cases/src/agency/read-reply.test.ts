import { expect, test } from 'vitest';
import type { FailureKind } from '../domain/agency-failure.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { readStatusReply, readTokenReply } from './read-reply.ts';

const NUMBER = 'EAC9999103403';
const answer = (status: number, body = '', isHtml = false): AgencyHttpResult => ({
  kind: 'answer',
  status,
  body,
  isHtml,
  isUtf8: true,
});
const said = (message: string) => JSON.stringify({ message });

test.each<[AgencyHttpResult, FailureKind, string | undefined]>([
  [answer(200, '<html>', true), 'maintenance', undefined],
  [answer(200, '{"case_status":{}}', true), 'unreadable', undefined],
  [answer(200, 'x'), 'unreadable', undefined],
  [answer(401), 'credentials', undefined],
  [answer(403, said('No access.')), 'credentials', 'No access.'],
  [answer(404), 'unreadable', undefined],
  [answer(422, said('Too short.')), 'refused', 'Too short.'],
  [answer(422), 'unreadable', undefined],
  [answer(429, said('Too fast.')), 'rate-limited', 'Too fast.'],
  [answer(429), 'rate-limited', undefined],
  [answer(429, said('Quota violation.')), 'quota-spent', 'Quota violation.'],
  [answer(503, said('Closed.')), 'unavailable', 'Closed.'],
  [answer(500, said('Oops.')), 'unexpected', 'Oops.'],
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

test('only the agency’s own words make a 404 "not recognized"', () => {
  expect(readStatusReply(answer(404, said('Not found.')), NUMBER, [])).toEqual({ kind: 'not-recognised' });
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
