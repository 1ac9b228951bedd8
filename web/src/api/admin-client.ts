import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';

/**
 * Creates a cache for one opening of the admin area, apart from the app's: it ends with the opening, and no user's
 * sign-out empties it. `onEnded` is called when the server says that the admin session is over.
 */
export function createAdminClient(onEnded: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isAdminEnded(error)) onEnded();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Data that is shown again is read again: others change it too.
      queries: {
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Returns true for the answer to a call without an open admin session. */
export function isAdminEnded(error: unknown): boolean {
  return hasCode(error, 'ADMIN_REQUIRED');
}
