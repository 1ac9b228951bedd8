import type { User } from '@casewatch/contracts/identity';
import type { QueryClient } from '@tanstack/react-query';
import { forgetSkipped } from '../lib/skipped-surveys.ts';
import { ApiError } from './api-error.ts';

export const meQueryKey = ['me'] as const;
export const sessionEndedKey = ['session-ended'] as const;
/** Whether what is shown came from this device, because the server could not be reached when the page was opened. */
export const restoredKey = ['restored'] as const;
/** About the session itself: outlives what is known of a user. */
const SESSION_KEYS: readonly unknown[] = [meQueryKey[0], sessionEndedKey[0], restoredKey[0]];

/**
 * Makes `user` the signed-in one, and drops all data of a previous user. A user whose session had
 * ended continues on the same screen: the data stays and is read again.
 */
export function enterAs(client: QueryClient, user: User): void {
  const before = client.getQueryData<User | null>(meQueryKey);
  if (before?.id !== user.id || !hasEnded(client)) dropUserData(client);
  client.setQueryData<User | null>(meQueryKey, user);
  goOn(client);
}

/** Continues after the user of this tab has signed in again: what a tab with an ended session shows is read anew. */
export function goOn(client: QueryClient): void {
  if (!hasEnded(client)) return;
  client.setQueryData(sessionEndedKey, false);
  void client.invalidateQueries({ predicate: isUserData });
}

/**
 * Ends the session in this tab without a sign-out. Screens stay, with what was typed, until
 * the user has signed in again.
 */
export function endSession(client: QueryClient): void {
  if (client.getQueryData<User | null>(meQueryKey)) client.setQueryData(sessionEndedKey, true);
  else forgetUser(client);
}

/** Forgets a user who has signed out: nothing of the user stays in memory. Screens of the signed-in close by themselves. */
export function forgetUser(client: QueryClient): void {
  // A pending answer must not bring the user back.
  void client.cancelQueries({ queryKey: meQueryKey });
  client.setQueryData<User | null>(meQueryKey, null);
  client.setQueryData(sessionEndedKey, false);
  dropUserData(client);
}

/** Calls `onLeave` as soon as the signed-in user changes or signs out. The returned function stops that. */
export function followLeaving(client: QueryClient, onLeave: () => void): () => void {
  let userId = userIdOf(client);
  return followUser(client, () => {
    const before = userId;
    userId = userIdOf(client);
    if (before !== undefined && before !== userId) onLeave();
  });
}

/**
 * Calls `onChange` when what is known of the signed-in user changes. Other queries are left out: a component that is rendered
 * adds them, and no other component may be updated then.
 */
export function followUser(client: QueryClient, onChange: () => void): () => void {
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === meQueryKey[0]) onChange();
  });
}

/** Returns the id of the signed-in user; undefined when signed out, and until the session was read. */
export function userIdOf(client: QueryClient): string | undefined {
  return client.getQueryData<User | null>(meQueryKey)?.id;
}

export function hasEnded(client: QueryClient): boolean {
  return client.getQueryData<boolean>(sessionEndedKey) ?? false;
}

/** Returns whether a query is about the user's data, not about the session itself. */
export function isUserData({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return !SESSION_KEYS.includes(queryKey[0]);
}

function dropUserData(client: QueryClient): void {
  client.removeQueries({ predicate: isUserData });
  client.getMutationCache().clear();
  forgetSkipped(() => sessionStorage);
}

/** Reads data of the signed-in user. A 401 ends the session of this tab; it is thrown, so that what is shown stays. */
export async function readUnlessSignedOut<Answer>(
  client: QueryClient,
  read: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) endSession(client);
    throw error;
  }
}
