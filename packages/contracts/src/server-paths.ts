/** A page of the server itself, for browsers that can't run the app: which ones can. */
export const BROWSERS_PAGE = '/help/browsers';

/** Where browsers and password managers go to change a password (W3C, A Well-Known URL for Changing Passwords). */
export const CHANGE_PASSWORD_PATH = '/.well-known/change-password';

/** What the server answers itself: no page of the app lies there or below, and its service worker stays out of it. */
export const SERVER_PATHS: readonly string[] = [
  '/api',
  '/assets',
  '/metrics',
  '/livez',
  '/healthz',
  '/readyz',
  '/.well-known',
  BROWSERS_PAGE,
];

/** Where everyone gets the app's page, signed in or not: the service worker keeps it from here. */
export const APP_PAGE_PATH = '/auth';

/** Returns true for the address of a page: neither the server's own nor a file's, whose last segment has a dot. */
export function isPagePath(path: string): boolean {
  if (!path.startsWith('/') || path.startsWith('//')) return false;
  if (SERVER_PATHS.some((own) => isAtOrBelow(path, own))) return false;
  return !path.slice(path.lastIndexOf('/')).includes('.');
}

const isAtOrBelow = (path: string, page: string) => path === page || path.startsWith(`${page}/`);
