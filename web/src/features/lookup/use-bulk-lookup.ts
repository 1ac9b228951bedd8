import type { BulkResultItem } from '@casewatch/contracts/cases';
import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { useCaseStatuses, useRetryCaseStatuses } from '../../api/case-status.ts';
import { bulkQueryKey } from '../../api/saved-case-data.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { BULK_FALLBACKS, explainLookupFailure, type LookupFailure } from './lookup-failure.ts';
import type { LookupAddress } from './use-lookup-address.ts';

export interface BulkLookup {
  /** The receipt numbers asked for last. */
  asked: readonly string[];
  isPending: boolean;
  /** Those without a status are being looked up again. */
  isRetrying: boolean;
  /** The answers still on the screen; undefined before the first search and while a new one is in progress. */
  items: readonly BulkResultItem[] | undefined;
  failure: LookupFailure | undefined;
  lookUp: (receiptNumbers: readonly string[]) => void;
  retry: () => void;
  /** Looks up again those without a status; resolves to whether all of them have one now. */
  retryFailed: () => Promise<boolean>;
  cancel: () => void;
  dismiss: (receiptNumber: string) => void;
}

/** Returns the feature's name where it begins a sentence. */
export function bulkFeature(): string {
  return t({ message: 'Bulk Search', context: 'begins a sentence' });
}

/** Looks up the cases in the address. `onProNeeded` gets the feature's name when the plan turns out not to have it. */
export function useBulkLookup(address: LookupAddress, onProNeeded: (feature: string) => void): BulkLookup {
  const asked = address.view === 'bulk' ? address.askedBulk : [];
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, isFetching } = useCaseStatuses(asked);
  const again = useRetryCaseStatuses(asked);

  const report = useEffectEvent((reason: Error) => {
    if (hasCode(reason, 'SIGNED_OUT')) return;
    if (hasCode(reason, 'PRO_REQUIRED')) return onProNeeded(bulkFeature());
    const { text } = explainLookupFailure(reason, BULK_FALLBACKS);
    toast({ title: t`Error`, description: text, variant: 'destructive', error });
  });
  useEffect(() => {
    if (error !== null) report(error);
  }, [error]);

  const lookUp = (receiptNumbers: readonly string[]) => {
    address.askBulk(receiptNumbers);
    // What is known already is asked for anew; anything else is by being shown.
    void client.refetchQueries({ queryKey: bulkQueryKey(receiptNumbers), exact: true });
  };
  const shown = data?.filter(({ receiptNumber }) => !address.dismissed.includes(receiptNumber));
  const retryFailed = async () => {
    const failed = (shown ?? []).filter(({ success }) => !success);
    try {
      const items = await again.mutateAsync(failed.map(({ receiptNumber }) => receiptNumber));
      return items.every(({ success }) => success);
    } catch (reason) {
      if (reason instanceof Error) report(reason);
      return false;
    }
  };
  // An ended session covers the screen, and the lookup is asked again after the sign-in.
  const isFailed = error !== null && !isFetching && !hasCode(error, 'SIGNED_OUT');
  return {
    asked,
    isPending: isFetching,
    isRetrying: again.isPending,
    items: isFailed ? undefined : shown,
    failure: isFailed ? explainLookupFailure(error, BULK_FALLBACKS) : undefined,
    lookUp,
    retry: () => lookUp(asked),
    retryFailed,
    cancel: () => {
      void client.cancelQueries({ queryKey: bulkQueryKey(asked), exact: true });
      address.clear('bulk', true);
    },
    dismiss: address.dismiss,
  };
}
