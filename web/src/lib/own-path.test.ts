import { APP_PAGES, appPageAt, signInPath } from '@casewatch/contracts/app-pages';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownPath, returnPath } from './own-path.ts';

const HERE = 'https://casewatch.example.com';

const pieces = fc.constantFrom(
  ...[
    '/',
    '//',
    '\\',
    '\t',
    '\n',
    '\r',
    ' ',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '%09',
    '%00',
    '%',
    '%ZZ',
  ],
  ...['@', ':', '?', '#', ';', '[', ']', '\u0000', '\u200b', '\u2044', '\uff0f', '\u3002', '\ud800', '🇺🇸'],
  ...[
    'evil.example',
    'user:pw@evil.example',
    'https:',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:',
    'file:',
  ],
  ...[
    'auth',
    'admin',
    'cases',
    'notifications',
    'saved-cases',
    'unsubscribe',
    'EAC9999103403',
    'a',
    '__proto__',
  ],
  'x'.repeat(3_000),
);
const nasty = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);

test('whatever is asked for, only a page of this app is navigated to, as a browser reads the address', () => {
  let kept = 0;
  fc.assert(
    fc.property(nasty, (asked) => {
      const path = ownPath(asked);
      if (path === undefined) return;
      kept += 1;
      const url = new URL(path, HERE);
      expect(url.origin).toBe(HERE);
      expect(url.pathname + url.search + url.hash).toBe(path);
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(appPageAt(url.pathname)).toBeDefined();
      expect(ownPath(path)).toBe(path);
    }),
    { numRuns: 5_000 },
  );
  expect(kept, 'nothing was kept: nothing was shown').toBeGreaterThan(50);
});

test('a sign-in leads to a page of this app, whatever its query asks for', () => {
  fc.assert(
    fc.property(nasty, (asked) => {
      const path = returnPath(`?${new URLSearchParams({ next: asked })}`);
      expect(new URL(path, HERE).origin).toBe(HERE);
      expect(appPageAt(new URL(path, HERE).pathname)).toBeDefined();
    }),
    { numRuns: 2_000 },
  );
});

test('the address of every page is kept, with its query and fragment', () => {
  for (const page of Object.keys(APP_PAGES)) {
    const path = `${page.replace(/:\w+/g, 'EAC9999103403')}?from=mail&x=1#part`;
    expect(ownPath(path)).toBe(path);
  }
});

test.each([
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/a/..//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '//evil.example/auth',
  '///auth',
  '/@evil.example',
  '/no-such-page',
  '/api/auth/me',
  '/cases',
  '/cases/',
  '/cases//evil.example',
  'saved-cases',
  'https://app.invalid/saved-cases',
  'javascript:alert(1)',
  `/?${'x'.repeat(2_000)}`,
  '',
  null,
  undefined,
  42,
  { toString: () => '/saved-cases' },
])('%j is no page of this app', (path) => expect(ownPath(path)).toBeUndefined());

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
