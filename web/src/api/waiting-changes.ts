import { useQuery } from '@tanstack/react-query';
import type { WaitingChanges } from './offline-changes.ts';
import { offlineChangesKey } from './saved-case-data.ts';
import { useMe } from './session.ts';

const NONE: WaitingChanges = { changes: [], refusals: [] };

/** Returns the changes that wait for the connection, and those that could not be made. */
export function useWaitingChanges(): WaitingChanges {
  const { user } = useMe();
  return (
    useQuery({
      queryKey: offlineChangesKey,
      queryFn: async () => (await import('./send-changes.ts')).readWaiting(user?.id ?? ''),
      enabled: user !== null && user !== undefined,
      gcTime: Number.POSITIVE_INFINITY,
    }).data ?? NONE
  );
}
