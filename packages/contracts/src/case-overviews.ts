import { z } from 'zod';
import { defineRoute } from './route-contract.ts';

/** Most users in one request. */
export const CASE_OVERVIEWS_MAX = 50;
/** Most cases of one user in the answer. */
export const CASES_PER_OVERVIEW = 200;

const overview = z.object({
  userId: z.uuid(),
  receiptNumber: z.string(),
  nickname: z.string().nullable(),
  formType: z.string().nullable(),
  status: z.string().nullable(),
  /** The agency's own Spanish for it. */
  statusEs: z.string().nullish(),
  statusChangedAt: z.iso.datetime().nullable(),
  /** The day that the agency gives for it, in no time zone. */
  statusDate: z.iso.date().optional(),
  snoozedUntil: z.iso.datetime().nullable(),
});
export type CaseOverview = z.output<typeof overview>;

/** For the digests that only the owner receives. */
export const listCaseOverviews = defineRoute({
  id: 'listCaseOverviews',
  service: 'cases',
  method: 'POST',
  path: '/internal/cases/overviews',
  access: 'internal',
  summary: 'Where the automatically checked cases of these users stand',
  description: `Not the archived ones and not those that are paused; at most ${CASES_PER_OVERVIEW} of a user, in the order of their receipt numbers.`,
  body: z.strictObject({ userIds: z.array(z.uuid()).min(1).max(CASE_OVERVIEWS_MAX) }),
  answer: z.object({ cases: z.array(overview) }),
});
