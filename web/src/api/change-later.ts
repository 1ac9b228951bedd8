import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type OfflineChange, offlineChangesKey, type WaitingChanges } from './offline-changes.ts';
import { shownCases } from './saved-case-data.ts';
import { useMe } from './session.ts';

const NONE: WaitingChanges = { changes: [], refusals: [] };

type Wanted =
  | Pick<Extract<OfflineChange, { kind: 'nickname' }>, 'kind' | 'wanted'>
  | Pick<Extract<OfflineChange, { kind: 'frequency' }>, 'kind' | 'wanted'>
  | Pick<Extract<OfflineChange, { kind: 'removal' }>, 'kind'>;

/** Keeps a change made offline until it can be sent. @throws for a case that this tab does not know */
export async function changeLater(client: QueryClient, receiptNumber: string, wanted: Wanted): Promise<void> {
  const savedCase = shownCases(client).find((one) => one.receiptNumber === receiptNumber);
  if (!savedCase) throw new Error(`${receiptNumber} is not kept on this device`);
  const { queueChange } = await import('./send-changes.ts');
  const own = { id: `${Date.now()}-${Math.random()}`, receiptNumber };
  if (wanted.kind === 'nickname')
    return queueChange(client, { ...own, ...wanted, before: savedCase.nickname });
  if (wanted.kind === 'frequency')
    return queueChange(client, { ...own, ...wanted, before: savedCase.monitoringFrequency });
  return queueChange(client, { ...own, ...wanted });
}

/** The changes that wait for the connection, and those that could not be made. */
export function useWaitingChanges(): WaitingChanges {
  const { user } = useMe();
  return (
    useQuery({
      queryKey: offlineChangesKey,
      queryFn: async () => (await import('./send-changes.ts')).readWaiting(user?.id ?? ''),
      enabled: user !== null && user !== undefined,
      networkMode: 'always',
      gcTime: Number.POSITIVE_INFINITY,
    }).data ?? NONE
  );
}

/** Takes back the change of this kind, or all changes, of a case that wait. */
export function useForgetChange() {
  const client = useQueryClient();
  return async (id: string) => (await import('./send-changes.ts')).forgetChange(client, id);
}
