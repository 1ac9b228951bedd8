import { expect, test } from 'vitest';
import { APP_PAGES, appPageAt, emailLinkPath, HAS_ACCOUNT } from './app-pages.ts';
import { isPagePath } from './server-paths.ts';

test('every page of the app is found by its address, with slashes at the end and in capitals too', () => {
  for (const page of Object.keys(APP_PAGES)) {
    const path = page.replace(/:\w+/g, 'EAC9999103403');
    expect(appPageAt(path)?.page).toBe(page);
    expect(appPageAt(path.toUpperCase())?.page).toBe(page);
    if (path !== '/')
      expect([appPageAt(`${path}/`)?.page, appPageAt(`${path}//`)?.page]).toEqual([page, page]);
    expect(isPagePath(path)).toBe(true);
  }
});

test.each([
  '',
  '//',
  '/authors',
  '/auth/x',
  '/cases',
  '/cases/',
  '/cases/a/b',
  '/admin/logs',
  '/constructor',
  '/\n',
])('%j is no page of the app', (path) => expect(appPageAt(path)).toBeUndefined());

test('an e-mail links to a page that shows itself or the sign-in, never the landing page', () => {
  for (const page of Object.keys(APP_PAGES)) {
    const { pathname, search, hash } = new URL(emailLinkPath(page), 'https://casewatch.example.com');
    expect(appPageAt(pathname)?.shownSignedOut).not.toBe('landing');
    if (pathname !== page) {
      expect(new URLSearchParams(search).get('next')).toBe(page);
      expect(hash).toBe(HAS_ACCOUNT);
    }
  }
  expect(emailLinkPath('/reset-password')).toBe('/reset-password');
});
