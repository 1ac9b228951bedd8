import type { BulkOutcome, ImportedCase } from '@casewatch/contracts/workspace';
import { useMutation } from '@tanstack/react-query';
import { failureText, hasCode } from './api-error.ts';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { changesSavedCases, refreshAfterLast } from './saved-case-data.ts';
import { userIdOf } from './user-data.ts';
import { notConfirmed, refused } from './workspace.ts';

interface ImportRequest {
  /** As many cases each as a request takes. */
  parts: readonly ImportedCase[][];
  /** Gets the outcomes of each part. */
  onOutcomes?: (results: readonly BulkOutcome[]) => void;
  /** Ends the import before its next part. */
  signal?: AbortSignal;
  /** The last case that an earlier try saved: these follow it in the list. */
  after?: string | undefined;
  /** The answer of an earlier try was lost: what is saved already was saved by it. */
  isRetry?: boolean;
}

/** Saves many cases, a part after the other, in their order; resolves to the outcomes of all parts that were sent. */
export function useImportCases() {
  return useMutation({
    ...changesSavedCases,
    mutationFn: async ({ parts, onOutcomes, signal, after, isRetry }: ImportRequest, { client }) => {
      const userId = userIdOf(client);
      const results: BulkOutcome[] = [];
      for (const cases of parts) {
        if (signal?.aborted || userIdOf(client) !== userId) break;
        const answered = await importPart(cases, lastSavedOf(results) ?? after);
        const outcomes = isRetry ? answered.map(asSaved) : answered;
        results.push(...outcomes);
        onOutcomes?.(outcomes);
      }
      return results;
    },
    onSettled: (_results, _error, _request, _result, { client }) => refreshAfterLast(client),
  });
}

/** What the server can't read is found by halves, so that one case does not refuse the others. */
async function importPart(cases: ImportedCase[], after: string | undefined): Promise<BulkOutcome[]> {
  try {
    const body = { cases, ...(after === undefined ? {} : { after }) };
    return (await callApi(endpoints.importSavedCases, { body })).results;
  } catch (error) {
    const [first] = cases;
    if (!hasCode(error, 'VALIDATION') || !first) throw error;
    if (cases.length === 1) return refused([first.receiptNumber], failureText(error, notConfirmed()));
    const middle = Math.ceil(cases.length / 2);
    const results = await importPart(cases.slice(0, middle), after);
    return [...results, ...(await importPart(cases.slice(middle), lastSavedOf(results) ?? after))];
  }
}

function asSaved(one: BulkOutcome): BulkOutcome {
  return one.outcome === 'unchanged' ? { ...one, outcome: 'changed' } : one;
}

function lastSavedOf(results: readonly BulkOutcome[]): string | undefined {
  return results.filter(({ outcome }) => outcome === 'changed').at(-1)?.receiptNumber;
}
