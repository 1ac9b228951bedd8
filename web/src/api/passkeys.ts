import type { OwnerProof } from '@casewatch/contracts/passkeys';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { loadPasskeys } from '../lib/passkey-support.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { enter } from './session.ts';
import { readUnlessSignedOut } from './user-data.ts';

/** The password, or `passkey`: the person is asked for one. */
export type GivenProof = { currentPassword: string } | 'passkey';

const passkeysQueryKey = ['passkeys'] as const;
const readAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: passkeysQueryKey });

/** Returns the account's passkeys; null when the session has ended. Read anew by each screen. */
export function usePasskeys() {
  return useQuery({
    queryKey: passkeysQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.listPasskeys, { signal })),
    refetchOnMount: 'always',
  });
}

export function useAddPasskey() {
  return useMutation({
    mutationFn: async (given: GivenProof) => {
      const proof = await prove(given);
      const creation = await callApi(endpoints.startPasskeyRegistration, { body: { proof } });
      const attestation = await (await loadPasskeys()).createPasskey(creation);
      return callApi(endpoints.addPasskey, { body: { attestation } });
    },
    onSuccess: (_passkey, _given, _result, { client }) => readAgain(client),
  });
}

export function useRenamePasskey() {
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      callApi(endpoints.renamePasskey, { params: { id }, body: { name } }),
    onSettled: (_passkey, _error, _input, _result, { client }) => readAgain(client),
  });
}

export function useRemovePasskey() {
  return useMutation({
    mutationFn: async ({ id, given }: { id: string; given: GivenProof }) => {
      const proof = await prove(given);
      return callApi(endpoints.removePasskey, { params: { id }, body: { proof } });
    },
    onSettled: (_answer, _error, _input, _result, { client }) => readAgain(client),
  });
}

interface PasskeySignIn {
  /** The person chooses among the suggestions of the e-mail field, whenever they like. */
  autofill?: boolean;
  /** Stops asking, unless a passkey was chosen. */
  signal?: AbortSignal;
  onChosen?: () => void;
}

/** Signs in with a passkey that the person chooses. */
export function useSignInWithPasskey() {
  return useMutation({
    mutationFn: async ({ autofill = false, signal, onChosen }: PasskeySignIn) => {
      const [request, passkeys] = await Promise.all([
        callApi(endpoints.startPasskeySignIn, signal ? { signal } : {}),
        loadPasskeys(),
      ]);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', passkeys.cancelPasskey);
      const assertion = await passkeys.askForPasskey(request, { autofill }).finally(() => {
        signal?.removeEventListener('abort', passkeys.cancelPasskey);
      });
      onChosen?.();
      return callApi(endpoints.signInWithPasskey, { body: { assertion } });
    },
    onSuccess: enter,
  });
}

async function prove(given: GivenProof): Promise<OwnerProof> {
  if (given !== 'passkey') return given;
  const request = await callApi(endpoints.startPasskeyProof);
  return { passkey: await (await loadPasskeys()).askForPasskey(request) };
}
