import type * as contract from '@casewatch/contracts/admin-session';
import type * as administrators from '@casewatch/contracts/administrators';
import type { Sent } from '@casewatch/contracts/route-contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

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
