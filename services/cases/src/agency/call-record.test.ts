import { expect, test } from 'vitest';
import { maskSecrets, toCallRecord } from './call-record.ts';

test.each([
  ['our token in a sentence: tok-123 is not valid', 'our token in a sentence: [masked] is not valid'],
  ['tok-123tok-123', '[masked][masked]'],
  ['Authorization: Bearer eyJhbGciOi.J9.x-y_z', 'Authorization: Bearer [masked]'],
  ['authorization: basic dGVzdDp0ZXN0', 'authorization: basic [masked]'],
  ['{"access_token" : "abc", "expires_in": 1}', '{"access_token" : "[masked]", "expires_in": 1}'],
  ['{"REFRESH_TOKEN":"abc"}', '{"REFRESH_TOKEN":"[masked]"}'],
  ['{"client_secret":"abc"}', '{"client_secret":"[masked]"}'],
  ['{"Authorization":"abc"}', '{"Authorization":"[masked]"}'],
  ['?access_token=abc&refresh_token=def"', '?access_token=[masked]&refresh_token=[masked]"'],
  ['grant_type=x&client_secret=hush&y=1', 'grant_type=x&client_secret=[masked]&y=1'],
  ['{"message":"Case Was Approved"}', '{"message":"Case Was Approved"}'],
  ['the bearer of this notice', 'the bearer of this notice'],
])('%s', (text, masked) => {
  expect(maskSecrets(text, ['tok-123', ''])).toBe(masked);
});

test.each([
  ['casewatch-key-9f8e of casewatch', '[masked] of [masked]'],
  [JSON.stringify({ message: 'No Token token="a/b+c".' }), '{"message":"No [masked]."}'],
  [String.raw`{"message":"No Token token=\"a\/b+c\"."}`, '{"message":"No [masked]."}'],
  ['/?x=Token%20token%3D%22a%2Fb%2Bc%22', '/?x=[masked]'],
  ['x=Token+token%3D%22a%2Fb%2Bc%22', 'x=[masked]'],
  ['two words, and casewatch', '[masked], and [masked]'],
])(
  'a secret that holds another, or that is written in another form, is masked as a whole: %s',
  (text, masked) => {
    const secrets = ['casewatch', 'casewatch-key-9f8e', 'Token token="a/b+c"', 'two  words'];
    expect(maskSecrets(text, secrets)).toBe(masked);
  },
);

const ANSWER = { kind: 'answer', isHtml: false, isUtf8: true, body: '{}' } as const;

test('a call in the log has its status, its code and how long it took, and a 200 without a case its reason', () => {
  const failure = { kind: 'unreadable', detail: 'not JSON' } as const;
  const timedOut = { kind: 'timeout', detail: 'TimeoutError' } as const;
  expect([
    toCallRecord({ ...ANSWER, status: 200 }, { kind: 'failure', failure }, [], 300),
    toCallRecord({ ...ANSWER, status: 200 }, { kind: 'case', case: {} as never }, [], 0),
    toCallRecord({ ...ANSWER, status: 404 }, { kind: 'not-recognized' }, [], 300),
    toCallRecord(timedOut, { kind: 'failure', failure: timedOut }, [], 300),
  ]).toEqual([
    { statusCode: 200, code: 'unreadable', response: 'unreadable: not JSON\n{}', durationMs: 300 },
    { statusCode: 200, code: undefined, response: '{}', durationMs: 0 },
    { statusCode: 404, code: 'not-recognized', response: '{}', durationMs: 300 },
    { statusCode: undefined, code: 'timeout', response: 'timeout: TimeoutError', durationMs: 300 },
  ]);
});

test('the agency’s words stand before the answer that they were read from, without our secrets', () => {
  const failure = { kind: 'unavailable', agencyMessage: 'Closed to tok-123.' } as const;
  const said = { kind: 'not-recognized', agencyMessage: 'Not found.' } as const;
  expect(
    toCallRecord({ ...ANSWER, status: 503 }, { kind: 'failure', failure }, ['tok-123'], 0).response,
  ).toBe('USCIS says: Closed to [masked].\n{}');
  expect(toCallRecord({ ...ANSWER, status: 404 }, said, [], 0).response).toBe('USCIS says: Not found.\n{}');
});

test('what goes into the log holds no secret, no NUL and no half of a character, and is cut', () => {
  const body = `\0tok-123${'x'.repeat(3_991)}\u{1F600}${'tok-123'.repeat(100)}`;
  const failure = { kind: 'unexpected' } as const;
  const reply = { ...ANSWER, status: 500, body };
  const payload = toCallRecord(reply, { kind: 'failure', failure }, ['tok-123'], 0).response;
  expect(payload).not.toMatch(/tok-|\0/);
  expect(payload).toBe(payload.toWellFormed());
  expect(payload).toHaveLength(4_001);
  expect(payload.endsWith('\uFFFD…')).toBe(true);
});
