import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { useCaseStatus } from '../../api/case-status.ts';
import { caseStatusQueryKey } from '../../api/saved-case-data.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { explainLookupFailure, type LookupFailure, SINGLE_FALLBACKS } from './lookup-failure.ts';
import type { LookupAddress } from './use-lookup-address.ts';

export interface SingleLookup {
  /** The receipt number asked for last. */
  asked: string | undefined;
  isPending: boolean;
  /** The answer to show; while the same case is asked for again, its last one. */
  result: CaseStatusResult | undefined;
  failure: LookupFailure | undefined;
  lookUp: (receiptNumber: string) => void;
  cancel: () => void;
}

/** Looks up one case at a time, the one in the address, and says in a toast when that fails. */
export function useSingleLookup(address: LookupAddress): SingleLookup {
  const asked = address.askedSingle;
  const client = useQueryClient();
  const toast = useToast();
  const { data, error, isFetching } = useCaseStatus(asked);

  useEffect(() => {
    if (error === null || hasCode(error, 'SIGNED_OUT')) return;
    const { text } = explainLookupFailure(error, SINGLE_FALLBACKS);
    toast({ title: 'Error', description: text, variant: 'destructive', error });
  }, [error, toast]);

  // An ended session covers the screen, and the lookup is asked again after the sign-in.
  const isFailed = error !== null && !isFetching && !hasCode(error, 'SIGNED_OUT');
  return {
    asked,
    isPending: isFetching,
    result: isFailed ? undefined : data,
    failure: isFailed ? explainLookupFailure(error, SINGLE_FALLBACKS) : undefined,
    lookUp: (receiptNumber) => {
      if (receiptNumber !== asked) address.askSingle(receiptNumber);
      // What is known already is asked for anew; anything else is by being shown.
      void client.refetchQueries({ queryKey: caseStatusQueryKey(receiptNumber), exact: true });
    },
    cancel: () => {
      if (asked === undefined) return;
      void client.cancelQueries({ queryKey: caseStatusQueryKey(asked), exact: true });
      address.clear('single', true);
    },
  };
}
