import { z } from 'zod';
import { caseDate, enteredDate } from './case-dates.ts';
import { receiptNumber, savedCase } from './cases.ts';
import { CASE_DATES_MAX } from './limits.ts';
import { defineRoute } from './route-contract.ts';

const cases = { service: 'cases', access: 'user' } as const;
const oneDate = z.object({
  receiptNumber,
  // In small letters, as the databases write it: a reminder finds its date by it.
  id: z
    .uuid()
    .toLowerCase()
    .meta({
      description: 'Of the date; the client makes one up for a new date.',
      examples: ['0192b1c0-7d1e-7a53-9c0e-3f6a2f1d9b10'],
    }),
});

export const putCaseDate = defineRoute({
  ...cases,
  id: 'putCaseDate',
  method: 'PUT',
  path: '/api/saved-cases/:receiptNumber/dates/:id',
  summary: 'Add a date to a saved case, or change one',
  description: `A saved case has at most ${CASE_DATES_MAX} dates. The same request again changes nothing more. An open date of a case that is not archived is reminded of 30, 14, 7, 3 and 1 days before, and on the day.`,
  params: oneDate,
  body: enteredDate,
  answer: savedCase,
  next: [
    { operationId: 'removeCaseDate', parameters: { receiptNumber: '/receiptNumber', id: '/dates/0/id' } },
  ],
  errors: ['SAVED_CASE_NOT_FOUND'],
});

export const removeCaseDate = defineRoute({
  ...cases,
  id: 'removeCaseDate',
  method: 'DELETE',
  path: '/api/saved-cases/:receiptNumber/dates/:id',
  summary: 'Remove a date of a saved case',
  description: 'Twice is no error. To undo it, add the date again.',
  params: oneDate,
  answer: savedCase,
  errors: ['SAVED_CASE_NOT_FOUND'],
});

/** Cases in one page of open dates. */
export const OPEN_DATES_PAGE = 500;

const place = z.strictObject({ lastDay: z.iso.date(), id: z.uuid() });

/** For the reminders that only the owner receives. */
export const listOpenDates = defineRoute({
  id: 'listOpenDates',
  service: 'cases',
  method: 'POST',
  path: '/internal/cases/open-dates',
  access: 'internal',
  summary: 'Open dates of saved cases that are not archived',
  description:
    'Those between two days, both included. Continue with `next` as `after`; null after the last page.',
  body: z.strictObject({ from: z.iso.date(), until: z.iso.date(), after: place.optional() }),
  answer: z.object({
    dates: z.array(caseDate.omit({ doneAt: true }).extend({ userId: z.uuid(), receiptNumber: z.string() })),
    next: place.nullable(),
  }),
});
export type OpenDate = z.output<typeof listOpenDates.answer>['dates'][number];
