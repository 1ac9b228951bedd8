import type { User } from '@casewatch/contracts/identity';
import { onlineManager, type QueryClient, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isMarked } from '../lib/kept-mark.ts';
import { restoredKey } from './user-data.ts';

/** Returns true while the server can't be reached. The parts that work then are loaded when they are needed. */
export function useOffline(): boolean {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  );
  const query = { queryKey: restoredKey, queryFn: () => false, enabled: false, gcTime: Infinity };
  return (useQuery(query).data ?? false) || !isOnline;
}

export function isOffline(client: QueryClient): boolean {
  return isRestored(client) || !onlineManager.isOnline();
}

export function isRestored(client: QueryClient): boolean {
  return client.getQueryData<boolean>(restoredKey) ?? false;
}

export function setRestored(client: QueryClient, isIt: boolean): void {
  client.setQueryData(restoredKey, isIt);
}

/** Brings back what this device keeps, and returns whose it is; null when it keeps nothing. */
export async function restoreKept(client: QueryClient): Promise<User | null> {
  if (!isMarked()) return null;
  const { restore } = await import('./kept-data.ts');
  const user = await restore(client);
  if (user) setRestored(client, true);
  return user;
}

/** Removes what this device keeps of a user, with changes that were not sent. */
export async function dropKept(): Promise<void> {
  if (!isMarked()) return;
  const { clearKept } = await import('./kept-data.ts');
  await clearKept();
}

/** Drops the answers without the changes: of a session that ended without a sign-out. */
export async function dropKeptAnswers(): Promise<void> {
  if (!isMarked()) return;
  const { clearAnswers } = await import('./kept-data.ts');
  await clearAnswers();
}
