/** Where the app keeps the texts of its language for the service worker. */
export const CATALOG_CACHE = 'casewatch-language';
