import { APP_PAGE_PATH, isPagePath } from '@casewatch/contracts/server-paths';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CATALOG_CACHE } from './config/product.ts';
import { showPushMessages } from './features/push/show-push.ts';

declare const self: ServiceWorkerGlobalScope;

// The app's own files, as the build lists them, are all that is kept. What the API answers never is.
const entries = self.__WB_MANIFEST;
const pathOf = (entry: (typeof entries)[number]) => (typeof entry === 'string' ? entry : entry.url);
precacheAndRoute(entries.filter((entry) => languageOf(pathOf(entry)) === undefined));
cleanupOutdatedCaches();

// Of the languages only the one that is in use is kept, by the page itself. A new version brings the same one along.
registerRoute(
  ({ url }) => languageOf(url.pathname) !== undefined,
  async ({ request }) =>
    (await caches.match(request.url, { cacheName: CATALOG_CACHE })) ?? (await fetch(request)),
);
self.addEventListener('install', (event) => event.waitUntil(bringLanguage()));

async function bringLanguage(): Promise<void> {
  const cache = await caches.open(CATALOG_CACHE);
  const [kept] = await cache.keys();
  const language = kept && languageOf(new URL(kept.url).pathname);
  const file = entries.map(pathOf).find((path) => language !== undefined && languageOf(path) === language);
  if (file !== undefined) await cache.add(file);
}

function languageOf(path: string): string | undefined {
  return /^\/assets\/catalog-([a-z]{2})-/.exec(path)?.[1];
}

// One page serves every address of the app. The admin area works online only and always in its newest version.
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isPagePath(url.pathname) && !isAdmin(url.pathname),
  createHandlerBoundToURL(APP_PAGE_PATH),
);

function isAdmin(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/');
}

showPushMessages();

// A new version waits until the user asks for it: an unexpected reload loses what is being typed.
self.addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
