/** What a browser without a session gets at the address of a page: the page, the sign-in that leads to it, or the landing page. */
export type ShownSignedOut = 'page' | 'sign-in' | 'landing';

/**
 * Every page of the web app by its address; `:name` stands for one segment. The app's routes are checked against this list,
 * the server decides by it who gets the app and who the landing page, and no path from outside leads anywhere else.
 */
export const APP_PAGES = {
  '/': 'landing',
  '/saved-cases': 'landing',
  '/profile': 'landing',
  '/profile/notifications': 'landing',
  '/profile/security': 'landing',
  '/profile/data': 'landing',
  '/upgrade': 'landing',
  '/cases/:receiptNumber': 'sign-in',
  '/notifications/:id': 'sign-in',
  '/auth': 'page',
  '/forgot-password': 'page',
  '/reset-password': 'page',
  '/confirm-email': 'page',
  '/stop-email-change': 'page',
  '/unsubscribe': 'page',
  '/admin': 'page',
  '/admin/single-sign-on': 'page',
  '/admin/invitation': 'page',
} as const satisfies Record<string, ShownSignedOut>;

export type AppPage = keyof typeof APP_PAGES;

/** The addresses whose pages a browser without a session gets the given way. */
export type AppPageShown<Shown extends ShownSignedOut> = {
  [Page in AppPage]: (typeof APP_PAGES)[Page] extends Shown ? Page : never;
}[AppPage];

/** The sign-in screen, and the parameter of its query that names the page which it leads to. */
export const SIGN_IN_PAGE: AppPage = '/auth';
export const NEXT_PARAMETER = 'next';

/** The fragment that has the sign-in screen offer the sign-in and no sign-up, whatever it leads to. */
export const HAS_ACCOUNT = '#sign-in';

/** The fragment that has the sign-in screen offer the sign-up first. */
export const IS_NEW = '#sign-up';

const PATTERNS = Object.entries(APP_PAGES).map(([page, shownSignedOut]) => ({
  page,
  shownSignedOut,
  pattern: page === '/' ? /^\/$/ : new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}/*$`, 'i'),
}));

/** Returns the page at a path (of a URL, without its query), as the app's router finds it; undefined where there is none. */
export function appPageAt(path: string): { page: string; shownSignedOut: ShownSignedOut } | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path));
}

/** Returns the sign-in screen that leads to `path` afterwards; a user who is signed in already gets there at once. */
export function signInPath(path: string): string {
  return `${SIGN_IN_PAGE}?${new URLSearchParams({ [NEXT_PARAMETER]: path })}`;
}

/**
 * Returns the path by which an e-mail links to a page: in a browser without a session it leads there through the sign-in, where the
 * address of the page alone would show the landing page.
 */
export function emailLinkPath(path: string): string {
  return appPageAt(path)?.shownSignedOut === 'landing' ? signInPath(path) + HAS_ACCOUNT : path;
}
