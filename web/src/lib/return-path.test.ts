import { signInPath } from '@casewatch/contracts/app-pages';
import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

test('a sign-in leads back to the path that required it, with its query', () => {
  const path = '/cases/EAC9999103403?from=mail&x=1';
  expect(returnPath(signInPath(path).slice('/auth'.length))).toBe(path);
});

test.each([
  '',
  '?next=',
  '?next=//evil.example',
  '?next=/.//evil.example',
  '?next=/..//evil.example',
  '?next=/%252e//evil.example',
  '?next=/%2e//evil.example',
  '?next=/a/..//evil.example',
  '?next=/%5Cevil.example',
  '?next=https://evil.example/',
  '?next=javascript:alert(1)',
  '?next=/%09/evil.example',
  '?next=/auth',
  '?next=/auth/?next=/profile',
  '?next=/AUTH',
  '?next=/help/browsers',
  '?next=cases/EAC9999103403',
])('%j leads to the start page', (search) => {
  expect(returnPath(search)).toBe('/');
});
