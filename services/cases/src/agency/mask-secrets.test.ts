import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { createCallLog } from './call-record.ts';
import { maskSecrets } from './mask-secrets.ts';

test.each([
  ['our token in a sentence: tok-123 is not valid', 'our token in a sentence: [masked] is not valid'],
  ['tok-123tok-123', '[masked][masked]'],
  ['Authorization: Bearer eyJhbGciOi.J9.x-y_z', 'Authorization: Bearer [masked]'],
  ['{"access_token" : "abc", "expires_in": 1}', '{"access_token" : "[masked]", "expires_in": 1}'],
  ['grant_type=x&client_secret=hush&y=1', 'grant_type=x&client_secret=[masked]&y=1'],
  ['{"message":"Case Was Approved"}', '{"message":"Case Was Approved"}'],
  ['the bearer of this notice', 'the bearer of this notice'],
])('%s', (text, masked) => {
  expect(maskSecrets(text, ['tok-123', ''])).toBe(masked);
});

test('what goes into the log holds no secret, no NUL and no half of a character, and is cut', () => {
  const log = createCallLog(createManualClock());
  const body = `\0tok-123${'x'.repeat(3_991)}\u{1F600}${'tok-123'.repeat(100)}`;
  const failure = { kind: 'unexpected' } as const;
  const reply = { kind: 'answer', status: 500, isHtml: false, isUtf8: true, body } as const;
  log.add(0, reply, { kind: 'failure', failure }, ['tok-123']);
  const payload = log.calls[0]?.responsePayload ?? '';
  expect(payload).not.toMatch(/tok-|\0/);
  expect(payload).toBe(payload.toWellFormed());
  expect(payload).toHaveLength(4_001);
  expect(payload.endsWith('\uFFFD…')).toBe(true);
});
