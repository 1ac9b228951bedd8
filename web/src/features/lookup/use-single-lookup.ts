import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { useState } from 'react';
import { useCaseLookUp } from '../../api/case-status.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { explainLookupFailure, type LookupFailure, SINGLE_FALLBACKS } from './lookup-failure.ts';

interface SingleLookup {
  /** The receipt number asked for last. */
  asked: string | undefined;
  isPending: boolean;
  /** The answer to show; while the same case is asked for again, its last one. */
  result: CaseStatusResult | undefined;
  failure: LookupFailure | undefined;
  lookUp: (receiptNumber: string) => void;
}

/** Looks up one case at a time, and says in a toast when that fails. */
export function useSingleLookup(): SingleLookup {
  const { mutate, variables: asked, isPending, data, error } = useCaseLookUp();
  const [last, setLast] = useState<CaseStatusResult>();
  const toast = useToast();

  const lookUp = (receiptNumber: string) =>
    mutate(receiptNumber, {
      onSuccess: setLast,
      onError: (reason) => {
        const { text } = explainLookupFailure(reason, SINGLE_FALLBACKS);
        toast({ title: 'Error', description: text, variant: 'destructive' });
      },
    });

  return {
    asked,
    isPending,
    result: data ?? (isPending && last?.receiptNumber === asked ? last : undefined),
    failure: error === null ? undefined : explainLookupFailure(error, SINGLE_FALLBACKS),
    lookUp,
  };
}
