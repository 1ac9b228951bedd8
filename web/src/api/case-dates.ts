import type { CaseDateKind } from '@casewatch/contracts/case-date-kinds';
import type { CaseDate } from '@casewatch/contracts/case-dates';
import { useMutation } from '@tanstack/react-query';
import { callApi } from './call-api.ts';
import * as endpoints from './endpoints.ts';
import { changesSavedCases, refreshAfterLast, replaceCase } from './saved-case-data.ts';

/** A date as it is to be; the id of a new one is made up. */
export interface DateDraft {
  id: string;
  kind: CaseDateKind;
  day: string;
  label: string | null;
  done: boolean;
}

/** Returns a date as it is now, to be changed or put back. */
export function draftOf({ id, kind, day, label, doneAt }: CaseDate): DateDraft {
  return { id, kind, day, label, done: doneAt !== null };
}

/** Adds or changes a date of a saved case, one change after the other; with `removed` it goes. */
export function useChangeDate(receiptNumber: string) {
  return useMutation({
    ...changesSavedCases,
    scope: { id: `change of ${receiptNumber}` },
    mutationFn: ({ id, ...body }: DateDraft & { removed?: true }) => {
      const params = { receiptNumber, id };
      if (body.removed) return callApi(endpoints.removeCaseDate, { params });
      return callApi(endpoints.putCaseDate, { params, body });
    },
    onSuccess: (changed, _change, _result, { client }) => replaceCase(client, changed),
    onSettled: (_answer, _error, _change, _result, { client }) => refreshAfterLast(client),
  });
}
