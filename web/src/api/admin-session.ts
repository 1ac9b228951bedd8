import type * as contract from '@casewatch/contracts/admin-session';
import type * as administrators from '@casewatch/contracts/administrators';
import type { Sent } from '@casewatch/contracts/route-contract';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { loadPasskeys } from '../lib/passkey-support.ts';
import { hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

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

/** Opens the admin area; the answer says who it is open for, and after how many idle seconds it closes again. */
export function useAdminLogIn() {
  return useMutation({
    mutationFn: (passcode: string) => callApi(endpoints.adminLogIn, { body: { passcode } }),
  });
}

/** Returns the same for a named administrator. */
export function useAdminSignIn() {
  return useMutation({
    mutationFn: (body: Sent<(typeof contract.adminSignIn)['body']>) =>
      callApi(endpoints.adminSignIn, { body }),
  });
}

/** Returns how the area can be opened; until that is known, and when it can't be, the passcode is taken for granted. */
export function useAdminSignInOptions() {
  return useQuery({
    queryKey: ['admin-sign-in-options'],
    queryFn: ({ signal }) => callApi(endpoints.getAdminSignInOptions, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Begins a sign-in with the OpenID provider: the answer says where the browser goes. */
export function useBeginSingleSignOn() {
  return useMutation({ mutationFn: () => callApi(endpoints.beginSingleSignOn) });
}

/** Opens the admin area with the query that the provider sent the browser back with, once. */
export function useFinishSingleSignOn(query: string) {
  return useQuery({
    queryKey: ['single-sign-on', query],
    queryFn: () => callApi(endpoints.finishSingleSignOn, { body: { query } }),
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Closes the admin area on the server. What the page holds of it is the page's to drop. */
export function useAdminLogOut() {
  return useMutation({ mutationFn: () => callApi(endpoints.adminLogOut) });
}

/** Returns what an invitation is for. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['admin-invitation', token],
    queryFn: ({ signal }) => callApi(endpoints.openInvitation, { body: { token }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useAcceptInvitation() {
  return useMutation({
    mutationFn: (body: Sent<(typeof administrators.acceptInvitation)['body']>) =>
      callApi(endpoints.acceptInvitation, { body }),
  });
}

const PASSKEYS = ['admin-passkeys'];

/** Opens the admin area with a passkey that the person chooses. */
export function useAdminSignInWithPasskey() {
  return useMutation({
    mutationFn: async () => {
      const request = await callApi(endpoints.startAdminPasskeySignIn);
      const assertion = await (await loadPasskeys()).askForPasskey(request);
      return callApi(endpoints.adminSignInWithPasskey, { body: { assertion } });
    },
  });
}

/** Returns the signed-in administrator's own passkeys. */
export function useAdminPasskeys() {
  return useQuery({
    queryKey: PASSKEYS,
    queryFn: ({ signal }) => callApi(endpoints.listAdminPasskeys, { signal }),
  });
}

export function useAddAdminPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (proof: { password: string; code: string }) => {
      const creation = await callApi(endpoints.startAdminPasskeyRegistration, { body: proof });
      const attestation = await (await loadPasskeys()).createPasskey(creation);
      return callApi(endpoints.addAdminPasskey, { body: { attestation } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: PASSKEYS }),
  });
}

export function useRemoveAdminPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.removeAdminPasskey, { params: { id } }),
    // Also after a refusal: another window may have changed the list.
    onSettled: () => client.invalidateQueries({ queryKey: PASSKEYS }),
  });
}
