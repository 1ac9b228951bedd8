import type { User } from '@casewatch/contracts/identity';
import type { Language } from '@casewatch/contracts/languages';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { languageShown } from '../lib/format-number.ts';
import { getsPushes } from '../lib/kept-mark.ts';
import { sleep } from '../lib/sleep.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { dropKept, dropKeptAnswers, restoreKept } from './offline.ts';
import { notifyOtherTabs } from './other-tabs.ts';
import { endSession, enterAs, forgetUser, meQueryKey, sessionEndedKey } from './user-data.ts';

export { meQueryKey };

const ME_STALE_MS = 5 * 60_000;
/** A database that WebKit has left busy with an earlier page never answers. */
const DATABASE_WAIT_MS = 2_000;

export interface Me {
  /** null: signed out; undefined: not known (still loading, or the server is unavailable). */
  user: User | null | undefined;
  isLoading: boolean;
  /** Why the session could not be read; `retry` asks again. */
  error: Error | null;
  retry: () => void;
}

/** Returns the signed-in user. */
export function useMe(): Me {
  const { data, error, isPending, isError, isFetching, refetch } = useQuery({
    queryKey: meQueryKey,
    queryFn: ({ client, signal }) => readMe(client, signal),
    staleTime: ME_STALE_MS,
  });
  return {
    user: data,
    isLoading: isPending || (isError && data === undefined && isFetching),
    error,
    retry: () => void refetch(),
  };
}

/** Begins to read the session while the page is not shown yet. */
export function preloadMe(client: QueryClient): void {
  void client.prefetchQuery({
    queryKey: meQueryKey,
    queryFn: ({ client, signal }) => readMe(client, signal),
    staleTime: ME_STALE_MS,
  });
}

/** Returns whether the session of this tab's user has ended, so that they have to sign in again. */
export function useSessionEnded(): boolean {
  const query = { queryKey: sessionEndedKey, queryFn: () => false, enabled: false, gcTime: Infinity };
  return useQuery(query).data ?? false;
}

/** Reads the session again, shows and returns it; keeps what was known when the read fails. */
export async function refreshMe(client: QueryClient): Promise<User | null | undefined> {
  try {
    return await askForMe(client);
  } catch {
    return client.getQueryData<User | null>(meQueryKey);
  }
}

/** Returns the same; rejects when the read fails. */
export async function askForMe(client: QueryClient): Promise<User | null> {
  await client.cancelQueries({ queryKey: meQueryKey });
  return client.fetchQuery({
    queryKey: meQueryKey,
    queryFn: ({ client, signal }) => readMe(client, signal),
    staleTime: 0,
  });
}

/** The browser has not kept the cookie of a new session: it ends with the next call. */
export class NoCookies extends Error {}

/**
 * Makes the user of a new session the signed-in one, here and in other tabs.
 * @throws NoCookies, and stays signed out, where the browser does not send the session back
 */
export async function enter(
  user: User,
  _variables: unknown,
  _result: unknown,
  { client }: { client: QueryClient },
): Promise<void> {
  await callApi(endpoints.getMe).catch((error) => {
    if (error instanceof ApiError && error.status === 401) throw new NoCookies();
  });
  const clearing = import('./kept-data.ts').then(({ clearOfOthers }) => clearOfOthers(user.id));
  await Promise.race([clearing, sleep(DATABASE_WAIT_MS)]).catch(() => undefined);
  enterAs(client, user);
  notifyOtherTabs(user.id);
}

export function useLogIn() {
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => callApi(endpoints.logIn, { body }),
    onSuccess: enter,
  });
}

export interface SignUpInput {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role?: string;
  language: Language;
}

export function useSignUp() {
  return useMutation({
    mutationFn: (input: SignUpInput) =>
      callApi(endpoints.signUp, { body: { ...input, language: languageShown() } }),
    onSuccess: enter,
  });
}

export function useLogOut() {
  return useMutation({
    mutationFn: async () => {
      // While the session can still say so: messages about this user's cases end with it.
      if (getsPushes()) {
        const turnOff = import('./push-subscription.ts').then(({ turnOffPush }) => turnOffPush());
        await turnOff.catch(() => undefined);
      }
      // Without anything before it: a browser that leaves the page at once has sent it.
      return callApi(endpoints.logOut);
    },
    onSuccess: async (_answer, _variables, _result, { client }) => {
      forgetUser(client);
      notifyOtherTabs(null);
      await dropKept();
    },
  });
}

/**
 * A 401 means signed out; the screens of the user until now stay, below a request to sign in again. Without any answer it is
 * the user whose data this device keeps, if there is one.
 */
async function readMe(client: QueryClient, signal: AbortSignal): Promise<User | null> {
  const user = client.getQueryData<User | null>(meQueryKey) ?? null;
  try {
    return await callApi(endpoints.getMe, { signal });
  } catch (error) {
    const kept =
      user || error instanceof ApiError || signal.aborted
        ? null
        : await restoreKept(client).catch(() => null);
    if (kept) return kept;
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    if (user) endSession(client);
    else void dropKeptAnswers();
    return user;
  }
}
