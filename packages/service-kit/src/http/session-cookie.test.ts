import { expect, test } from 'vitest';
import { sessionCookieName } from './session-cookie.ts';

test.each([
  ['https://casewatch.example', '__Host-sid'],
  ['HTTPS://casewatch.example:8443/', '__Host-sid'],
  ['http://localhost:8080', 'sid'],
])('the session cookie of %s is %s', (publicUrl, name) => {
  expect(sessionCookieName(publicUrl)).toBe(name);
});
