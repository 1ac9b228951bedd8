import type { Language } from '@casewatch/contracts/languages';
import type { PushDevices } from '@casewatch/contracts/push-devices';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { readUnlessSignedOut } from './user-data.ts';

const devicesQueryKey = ['notifications', 'push-devices'] as const;

/** Returns the signed-in user's devices that get push messages, and the key to subscribe with. Read anew by each screen. */
export function usePushDevices() {
  return useQuery({
    queryKey: devicesQueryKey,
    queryFn: ({ client, signal }) =>
      readUnlessSignedOut(client, () => callApi(endpoints.listPushDevices, { signal })),
    refetchOnMount: 'always',
  });
}

export const fetchPushDevices = (): Promise<PushDevices> => callApi(endpoints.listPushDevices);

/** Saves what the browser subscribed with, and the language of messages to it. */
export function savePushDevice(subscription: PushSubscription, publicKey: string, language: Language) {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  return callApi(endpoints.savePushDevice, {
    body: { endpoint: endpoint ?? '', keys: { p256dh, auth }, publicKey, language },
  });
}

export const removePushDevice = (id: string): Promise<void> =>
  callApi(endpoints.removePushDevice, { params: { id } });

export function useChangePushDevice() {
  return useMutation({
    mutationFn: ({ id, showReceiptNumbers }: { id: string; showReceiptNumbers: boolean }) =>
      callApi(endpoints.changePushDevice, { params: { id }, body: { showReceiptNumbers } }),
    onSuccess: (device, _input, _result, { client }) =>
      client.setQueryData<PushDevices | null>(
        devicesQueryKey,
        (known) =>
          known && { ...known, devices: known.devices.map((one) => (one.id === device.id ? device : one)) },
      ),
  });
}

export function useTestPushDevice() {
  return useMutation({
    mutationFn: (id: string) => callApi(endpoints.testPushDevice, { params: { id } }),
    onSettled: (_answer, _error, _id, _result, { client }) => refreshPushDevices(client),
  });
}

export const refreshPushDevices = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: devicesQueryKey });
