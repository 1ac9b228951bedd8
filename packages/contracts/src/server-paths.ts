/** A page of the server itself, for browsers that can't run the app: which ones can. */
export const BROWSERS_PAGE = '/help/browsers';
/** Another one, which needs neither an account nor a script: what every status means. */
export const GUIDE_PAGE = '/guide';

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
  GUIDE_PAGE,
];

/** The pages that say who runs an installation, and by which rules: each is at its name, such as `/privacy`. */
export const POLICY_NAMES = ['privacy', 'terms', 'accessibility', 'cookies', 'contact'] as const;
export type PolicyName = (typeof POLICY_NAMES)[number];

/** Returns the address of such a page. What is below it is a page that there is not, as anywhere in the app. */
export const policyPage = (name: PolicyName): string => `/${name}`;

const POLICY_PAGES: ReadonlySet<string> = new Set(POLICY_NAMES.map(policyPage));

/** Where everyone gets the app's page, signed in or not: the service worker keeps it from here. */
export const APP_PAGE_PATH = '/auth';

/** What a page loads, and what programs look for: by its name such a path is a file, whether there is one or not. */
const FILE_NAME =
  /^\.|\.(?:js|mjs|css|map|json|webmanifest|txt|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|br|gz)$/i;

/**
 * Returns true for the address of a page, also of one that there is not: neither the server's own nor a file's. A dot alone
 * makes no file: one is copied along with an address, and others are typed as on older sites (`/profile.html`).
 */
export function isPagePath(path: string): boolean {
  if (!path.startsWith('/') || path.startsWith('//')) return false;
  if (SERVER_PATHS.some((own) => isAtOrBelow(path, own))) return false;
  if (POLICY_PAGES.has(path.replace(/\/$/, ''))) return false;
  return !FILE_NAME.test(lastSegment(path));
}

/** Returns true where the last segment of a path has a dot: a page only by mistake. */
export function hasDot(path: string): boolean {
  return lastSegment(path).includes('.');
}

const lastSegment = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const isAtOrBelow = (path: string, page: string) => path === page || path.startsWith(`${page}/`);
