import type { BulkResultItem } from '@casewatch/contracts/cases';
import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { useBulkLookUp } from '../../api/case-status.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { BULK_FALLBACKS, explainLookupFailure, type LookupFailure } from './lookup-failure.ts';

interface BulkLookup {
  /** How many cases were asked for last. */
  askedCount: number;
  isPending: boolean;
  /** The answers still on the screen; undefined before the first search and while one is under way. */
  items: readonly BulkResultItem[] | undefined;
  failure: LookupFailure | undefined;
  lookUp: (receiptNumbers: string[]) => void;
  retry: () => void;
  dismiss: (receiptNumber: string) => void;
}

/** Looks up several cases at once. `onProNeeded` gets the feature's name when the plan turns out not to have it. */
export function useBulkLookup(onProNeeded: (feature: string) => void): BulkLookup {
  const { mutate, variables: asked = [], isPending, data, error } = useBulkLookUp();
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const toast = useToast();

  const lookUp = (receiptNumbers: string[]) => {
    setDismissed([]);
    mutate(receiptNumbers, {
      onError: (reason) => {
        if (hasCode(reason, 'PRO_REQUIRED')) return onProNeeded('Bulk Search');
        const { text } = explainLookupFailure(reason, BULK_FALLBACKS);
        toast({ title: 'Error', description: text, variant: 'destructive' });
      },
    });
  };

  return {
    askedCount: asked.length,
    isPending,
    items: data?.filter(({ receiptNumber }) => !dismissed.includes(receiptNumber)),
    failure: error === null ? undefined : explainLookupFailure(error, BULK_FALLBACKS),
    lookUp,
    retry: () => lookUp(asked),
    dismiss: (receiptNumber) => setDismissed([...dismissed, receiptNumber]),
  };
}
