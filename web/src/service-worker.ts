import { APP_PAGE_PATH, isPagePath } from '@casewatch/contracts/server-paths';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { showPushMessages } from './features/push/show-push.ts';

declare const self: ServiceWorkerGlobalScope;

// The app's own files, as the build lists them, are all that is kept. What the API answers never is.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

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
