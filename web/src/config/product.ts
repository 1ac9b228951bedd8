export const PRODUCT_NAME = 'Casewatch';

/** The public page of the agency where anyone can look a case up. */
export const OFFICIAL_CASE_STATUS_URL = 'https://egov.uscis.gov/';

/** Days of the trial that the landing page promises. */
export const PRO_TRIAL_DAYS = 14;

/** Below this width the sidebar is a side sheet. */
export const MOBILE_BREAKPOINT_PX = 768;

/** On which the browser's tabs report who is signed in. */
export const SESSION_CHANNEL = 'casewatch-session';

/** The oldest browsers that run the app: the build, its checks and the page about browsers follow this. iOS brings its Safari. */
export const OLDEST_BROWSERS = {
  safari: '15.4',
  ios: '15.4',
  chrome: '108',
  edge: '108',
  firefox: '115',
} as const;

/** The service worker, as the build names it. */
export const WORKER_FILE = '/sw.js';

/** Where the app keeps the texts of its language for the service worker. */
export const CATALOG_CACHE = 'casewatch-language';
