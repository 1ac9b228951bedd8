import { MutationCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';
import { followChanges, notifyOtherTabsOfChange } from './data-changes.ts';
import { followOtherTabs } from './other-tabs.ts';
import { endSession } from './user-data.ts';

/**
 * Creates the app's cache. Data is never stale by itself: what changes it refreshes it. Nothing is retried or refetched
 * on focus. A write that finds the session ended asks this tab to sign in again; a sign-in or sign-out in another tab is
 * followed. Make one per page.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_answer, _variables, _result, { meta }) => notifyOtherTabsOfChange(meta?.changes),
      onError: (error) => {
        if (hasCode(error, 'SIGNED_OUT')) endSession(client);
      },
    }),
    // Without 'always' a browser that believes it is offline would hold calls back silently.
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  followOtherTabs(client);
  followChanges(client);
  return client;
}
