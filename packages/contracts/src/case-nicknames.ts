import { z } from 'zod';
import { receiptNumber } from './cases.ts';
import { defineRoute } from './route-contract.ts';

/** Most cases in one request. */
export const CASE_NICKNAMES_MAX = 100;

const savedCaseKey = z.strictObject({ userId: z.uuid(), receiptNumber });

const caseDetails = savedCaseKey.extend({
  nickname: z.string().nullable(),
  formType: z.string().nullable(),
  snoozedUntil: z.iso.datetime().nullable(),
  archived: z.boolean(),
  status: z.string().nullish(),
  /** The agency's own Spanish for it. */
  statusEs: z.string().nullish(),
  /** Those that are still to be reminded of. */
  openDates: z.array(z.object({ id: z.uuid(), day: z.string() })).optional(),
});
/** What a text about a saved case says of it. */
export type CaseDetails = z.output<typeof caseDetails>;

/** For texts that only the owner receives. */
export const listCaseNicknames = defineRoute({
  id: 'listCaseNicknames',
  service: 'cases',
  method: 'POST',
  path: '/internal/cases/nicknames',
  access: 'internal',
  summary: 'What users call these saved cases of theirs',
  description: 'Cases that are not saved are left out, and of `nicknames` those without one.',
  body: z.strictObject({ cases: z.array(savedCaseKey).min(1).max(CASE_NICKNAMES_MAX) }),
  answer: z.object({
    nicknames: z.array(savedCaseKey.extend({ nickname: z.string() })),
    details: z.array(caseDetails),
  }),
});
