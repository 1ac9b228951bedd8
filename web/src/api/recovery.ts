import { useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { meQueryKey, readUnlessSignedOut } from './user-data.ts';

/** Requests a link that resets the password; the answer is the same whether or not there is an account. */
export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: (body: { email: string }) => callApi(endpoints.requestPasswordReset, { body }),
  });
}

/** Sets a new password with the token of a link; the server ends every session of the account. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; newPassword: string }) => callApi(endpoints.resetPassword, { body }),
    onSuccess: (_answer, _input, _result, { client }) => client.invalidateQueries({ queryKey: meQueryKey }),
  });
}

/** Sends the link that proves the user's address again. */
export function useSendConfirmation() {
  return useMutation({ mutationFn: () => callApi(endpoints.sendConfirmation) });
}

/** Proves an address with the token of a link and the account's password. */
export function useConfirmEmail() {
  return useMutation({
    mutationFn: (body: { token: string; currentPassword: string }) =>
      callApi(endpoints.confirmEmail, { body }),
    onSuccess: (_answer, _input, _result, { client }) => client.invalidateQueries({ queryKey: meQueryKey }),
  });
}

/** Stops a change of address with the token of the link that the current address got. */
export function useStopEmailChange() {
  return useMutation({
    mutationFn: (token: string) => callApi(endpoints.stopEmailChange, { body: { token } }),
  });
}

const sessionsQueryKey = ['sessions'] as const;

/** Returns where the account is signed in; null when this session has ended. Read anew by each screen. */
export function useSessions() {
  return useQuery({
    queryKey: sessionsQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.listSessions, { signal })),
    refetchOnMount: 'always',
  });
}

/** Signs out one device. */
export function useEndSession() {
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.endSession, { params: { id } }),
    onSettled: (_answer, _error, _id, _result, { client }) =>
      client.invalidateQueries({ queryKey: sessionsQueryKey }),
  });
}
