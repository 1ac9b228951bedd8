import type { User } from '@casewatch/contracts/identity';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { endSession, enterAs, forgetUser, meQueryKey } from './user-data.ts';

export { meQueryKey };

const ME_STALE_MS = 5 * 60_000;

export interface Me {
  /** null: signed out; undefined: not known (still loading, or the server could not tell). */
  user: User | null | undefined;
  isLoading: boolean;
  /** The server could not tell who is signed in; `retry` asks again. */
  isError: boolean;
  retry: () => void;
}

/** Who is signed in. */
export function useMe(): Me {
  const { data, isPending, isError, isFetching, refetch } = useQuery({
    queryKey: meQueryKey,
    queryFn: ({ client, signal }) => readMe(client, signal),
    staleTime: ME_STALE_MS,
    networkMode: 'always',
  });
  return {
    user: data,
    isLoading: isPending || (isError && data === undefined && isFetching),
    isError: isError && data === undefined && !isFetching,
    retry: () => void refetch(),
  };
}

/** Asks the server anew who is signed in, shows it and gives it back; what was known stays when it can't tell. */
export async function refreshMe(client: QueryClient): Promise<User | null | undefined> {
  await client.cancelQueries({ queryKey: meQueryKey });
  try {
    return await client.fetchQuery({
      queryKey: meQueryKey,
      queryFn: ({ client, signal }) => readMe(client, signal),
      staleTime: 0,
      networkMode: 'always',
    });
  } catch {
    return client.getQueryData<User | null>(meQueryKey);
  }
}

export function useLogIn() {
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => callApi(endpoints.logIn, { body }),
    onSuccess: (user, _variables, _result, { client }) => {
      enterAs(client, user);
      tellOtherTabs(user.id);
    },
  });
}

export interface SignUpInput {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role?: string;
}

export function useSignUp() {
  return useMutation({
    mutationFn: (body: SignUpInput) => callApi(endpoints.signUp, { body }),
    onSuccess: (user, _variables, _result, { client }) => {
      enterAs(client, user);
      tellOtherTabs(user.id);
    },
  });
}

export function useLogOut() {
  return useMutation({
    mutationFn: () => callApi(endpoints.logOut),
    onSuccess: (_answer, _variables, _result, { client }) => {
      forgetUser(client);
      tellOtherTabs(null);
    },
  });
}

/** A 401 means signed out; whoever was signed in until now stays on the screen, and is asked to sign in again. */
async function readMe(client: QueryClient, signal: AbortSignal): Promise<User | null> {
  try {
    return await callApi(endpoints.getMe, { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const user = client.getQueryData<User | null>(meQueryKey) ?? null;
    if (user) endSession(client);
    return user;
  }
}
