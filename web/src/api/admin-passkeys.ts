import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { loadPasskeys } from '../lib/passkey-support.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';

const KEY = ['admin-passkeys'];

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
    queryKey: KEY,
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
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemoveAdminPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.removeAdminPasskey, { params: { id } }),
    // Also after a refusal: another window may have changed the list.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
