import type { User } from '@casewatch/contracts/identity';
import type { Language } from '@casewatch/contracts/languages';
import { type QueryClient, useMutation } from '@tanstack/react-query';
import { clearRecent } from '../lib/recent-lookups.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { dropKept } from './offline.ts';
import { notifyOtherTabs } from './other-tabs.ts';
import { forgetUser, meQueryKey } from './user-data.ts';

/** What is not given stays. */
export interface ProfileInput {
  firstName?: string;
  lastName?: string;
  /** null removes it. */
  role?: string | null;
  language?: Language;
}

export function useChangeProfile() {
  return useMutation({
    mutationFn: (body: ProfileInput) => callApi(endpoints.changeProfile, { body }),
    onSuccess: (user, _input, _result, { client }) => showUser(client, user),
  });
}

export function useChangeEmail() {
  return useMutation({
    mutationFn: (body: { email: string; currentPassword: string }) =>
      callApi(endpoints.changeEmail, { body }),
    onSuccess: (user, _input, _result, { client }) => showUser(client, user),
  });
}

/** Changes the password; the server ends every other session of the account. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      callApi(endpoints.changePassword, { body }),
    onSuccess: (user, _input, _result, { client }) => showUser(client, user),
  });
}

/** Ends every session of the account, this one too. */
export function useLogOutEverywhere() {
  return useMutation({
    mutationFn: () => callApi(endpoints.logOutEverywhere),
    onSuccess: (_answer, _input, _result, { client }) => leave(client),
  });
}

/** Deletes the account and everything it holds, and what this device keeps of it past a sign-out. */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: (currentPassword: string) => callApi(endpoints.deleteAccount, { body: { currentPassword } }),
    onSuccess: (_answer, _input, _result, { client }) => {
      const user = client.getQueryData<User | null>(meQueryKey);
      // Without the account it cannot be seen or cleared any more.
      if (user) clearRecent(() => localStorage, user.id);
      return leave(client);
    },
  });
}

/** Unless they have signed out in the meantime: a late answer must not bring the user back. */
function showUser(client: QueryClient, user: User): void {
  client.setQueryData<User | null>(meQueryKey, (shown) => (shown?.id === user.id ? user : shown));
}

async function leave(client: QueryClient): Promise<void> {
  forgetUser(client);
  notifyOtherTabs(null);
  await dropKept();
}
