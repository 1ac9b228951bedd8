import type { QueryClient, QueryKey } from '@tanstack/react-query';

export const CHANGES_CHANNEL = 'casewatch-changes';

declare module '@tanstack/react-query' {
  interface Register {
    /** `changes`: the keys of what a mutation makes stale; other tabs read it anew. */
    mutationMeta: { changes?: readonly QueryKey[] };
  }
}

/** Notifies the browser's other tabs of data that a change here has made stale. */
export function notifyOtherTabsOfChange(changes: readonly QueryKey[] | undefined): void {
  if (!changes || typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANGES_CHANNEL);
  channel.postMessage(changes);
  channel.close();
}

/** Reads anew what other tabs have changed, unless a change of the same is in progress here, which does so itself. */
export function followChanges(client: QueryClient): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANGES_CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<readonly QueryKey[]>) => {
    for (const queryKey of data) {
      const isChanging = client.isMutating({
        predicate: ({ meta }) => meta?.changes?.some(([name]) => name === queryKey[0]) ?? false,
      });
      if (isChanging === 0) void client.invalidateQueries({ queryKey });
    }
  };
}
