import { plural, t } from '@lingui/core/macro';
import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isRestored, setRestored } from '../../api/offline.ts';
import type { WaitingChanges } from '../../api/offline-changes.ts';
import { offlineChangesKey } from '../../api/saved-case-data.ts';
import { refreshAfterSending, sendChanges } from '../../api/send-changes.ts';
import { askForMe } from '../../api/session.ts';
import { hasEnded, isUserData } from '../../api/user-data.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';

const ASK_EVERY_MS = 15_000;

/**
 * Waits until the server can be reached again, then reads the session, sends the changes that wait, and reads anew what is shown. Asks when
 * the browser is online again, when the page is looked at, and every 15 seconds while stored data is shown or changes wait.
 */
export function useReconnect(): void {
  const client = useQueryClient();
  const toast = useToast();
  useEffect(() => {
    let isBusy = false;
    const reconnect = async (wasOffline: boolean) => {
      if (isBusy || !onlineManager.isOnline()) return;
      isBusy = true;
      try {
        if (wasOffline) await askForMe(client);
        setRestored(client, false);
        if (hasEnded(client)) return;
        const made = await sendChanges(client);
        if (wasOffline) void client.invalidateQueries({ predicate: isUserData });
        if (made === 0) return;
        refreshAfterSending(client);
        const description = plural(made, {
          one: 'Your change was saved',
          other: 'Your # changes were saved',
        });
        toast({ title: t`Back online`, description });
      } catch {
        // Still no answer: it is asked again.
      } finally {
        isBusy = false;
      }
    };
    void reconnect(isRestored(client));
    const end = onlineManager.subscribe((isOnline) => isOnline && void reconnect(true));
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      if (isRestored(client) || hasWaiting(client)) void reconnect(true);
    };
    const timer = setInterval(look, ASK_EVERY_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      end();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [client, toast]);
}

function hasWaiting(client: QueryClient): boolean {
  return (client.getQueryData<WaitingChanges>(offlineChangesKey)?.changes.length ?? 0) > 0;
}
