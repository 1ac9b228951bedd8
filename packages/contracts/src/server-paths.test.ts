import { expect, test } from 'vitest';
import * as mails from './account-mails.ts';
import { appPageAt } from './app-pages.ts';
import { routes } from './routes.ts';
import { APP_PAGE_PATH, isPagePath } from './server-paths.ts';

test.each([
  '/',
  '/saved-cases',
  '/cases/EAC9999103403',
  '/admin',
  '/apiary',
  '/metrics-of-mine',
  '/cases/EAC9999103403.',
  '/profile.html',
  '/saved-cases.php',
  '/v1.2',
  '/auth...',
  '/privacy/x',
  '/terms-of-mine',
  '/jsmith@example.com',
  APP_PAGE_PATH,
])('%s is the address of a page', (path) => expect(isPagePath(path)).toBe(true));

test.each([
  '/api',
  '/api/docs',
  '/metrics',
  '/livez',
  '/healthz',
  '/readyz',
  '/assets/',
  '/privacy',
  '/terms/',
  '/sw.js',
  '/.env',
  '/LOGO.PNG',
  '/fonts/inter.woff2',
  '/missing.png',
  '//evil.test',
  '',
])('%j is none', (path) => expect(isPagePath(path)).toBe(false));

test('no route that browsers reach is the address of a page', () => {
  expect(routes.filter(({ access, path }) => access !== 'internal' && isPagePath(path))).toEqual([]);
});

test.each([
  mails.FORGOT_PASSWORD_PAGE,
  mails.RESET_PASSWORD_PAGE,
  mails.CONFIRM_EMAIL_PAGE,
  mails.STOP_EMAIL_CHANGE_PAGE,
])('%s, which the link of an e-mail opens, shows the app to visitors', (path) => {
  expect(isPagePath(path)).toBe(true);
  expect(appPageAt(path)?.shownSignedOut).toBe('page');
});
