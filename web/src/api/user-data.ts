import type { User } from '@casewatch/contracts/identity';
import type { QueryClient } from '@tanstack/react-query';
import { forgetSkipped } from '../lib/skipped-surveys.ts';

export const meQueryKey = ['me'] as const;

/** Makes `user` the signed-in one, and drops all that was kept of whoever was here before. */
export function enterAs(client: QueryClient, user: User): void {
  dropUserData(client);
  client.setQueryData<User | null>(meQueryKey, user);
}

/** Signed out: nothing of the user stays in memory. Screens of the signed-in close by themselves. */
export function forgetUser(client: QueryClient): void {
  // An answer still under way must not bring the user back.
  void client.cancelQueries({ queryKey: meQueryKey });
  client.setQueryData<User | null>(meQueryKey, null);
  dropUserData(client);
}

function dropUserData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQueryKey[0] });
  client.getMutationCache().clear();
  forgetSkipped(() => sessionStorage);
}
