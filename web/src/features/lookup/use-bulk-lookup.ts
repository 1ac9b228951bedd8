import type { BulkResultItem } from '@casewatch/contracts/cases';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { useCaseStatuses } from '../../api/case-status.ts';
import { bulkQueryKey } from '../../api/case-status-key.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { BULK_FALLBACKS, explainLookupFailure, type LookupFailure } from './lookup-failure.ts';
import type { LookupAddress } from './use-lookup-address.ts';

export interface BulkLookup {
  /** How many cases were asked for last. */
  askedCount: number;
  isPending: boolean;
  /** The answers still on the screen; undefined before the first search and while a new one is under way. */
  items: readonly BulkResultItem[] | undefined;
  failure: LookupFailure | undefined;
  lookUp: (receiptNumbers: readonly string[]) => void;
  retry: () => void;
  cancel: () => void;
  dismiss: (receiptNumber: string) => void;
}

/** Looks up the cases in the address. `onProNeeded` gets the feature's name when the plan turns out not to have it. */
export function useBulkLookup(address: LookupAddress, onProNeeded: (feature: string) => void): BulkLookup {
  const asked = address.view === 'bulk' ? address.askedBulk : [];
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, isFetching } = useCaseStatuses(asked);

  const tell = useEffectEvent((reason: Error) => {
    if (hasCode(reason, 'SIGNED_OUT')) return;
    if (hasCode(reason, 'PRO_REQUIRED')) return onProNeeded('Bulk Search');
    const { text } = explainLookupFailure(reason, BULK_FALLBACKS);
    toast({ title: 'Error', description: text, variant: 'destructive' });
  });
  useEffect(() => {
    if (error !== null) tell(error);
  }, [error]);

  const lookUp = (receiptNumbers: readonly string[]) => {
    address.askBulk(receiptNumbers);
    // What is known already is asked for anew; anything else is by being shown.
    void client.refetchQueries({ queryKey: bulkQueryKey(receiptNumbers), exact: true });
  };
  // An ended session covers the screen, and the lookup is asked again after the sign-in.
  const isFailed = error !== null && !isFetching && !hasCode(error, 'SIGNED_OUT');
  return {
    askedCount: asked.length,
    isPending: isFetching,
    items: isFailed
      ? undefined
      : data?.filter(({ receiptNumber }) => !address.dismissed.includes(receiptNumber)),
    failure: isFailed ? explainLookupFailure(error, BULK_FALLBACKS) : undefined,
    lookUp,
    retry: () => lookUp(asked),
    cancel: () => {
      void client.cancelQueries({ queryKey: bulkQueryKey(asked), exact: true });
      address.clear('bulk', true);
    },
    dismiss: address.dismiss,
  };
}
