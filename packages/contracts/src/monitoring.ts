import { z } from 'zod';
import { chosenCases } from './cases.ts';
import { CHECK_OUTCOMES } from './check-cases.ts';
import { MONITORING_FREQUENCIES } from './limits.ts';
import { defineRoute } from './route-contract.ts';

/** Why a check is late or gave no status: the error codes of the lookup, and `QUEUED`. */
export const LATE_CODES = [
  'QUEUED',
  'BUDGET_SPENT',
  'AGENCY_BUSY',
  'AGENCY_UNAVAILABLE',
  'AGENCY_REFUSED',
  'RECEIPT_NOT_RECOGNIZED',
  'UNAVAILABLE',
] as const;
export type LateCode = (typeof LATE_CODES)[number];

export const watch = z
  .object({
    receiptNumber: z.string(),
    frequency: z
      .enum(MONITORING_FREQUENCIES)
      .meta({ description: 'The caller’s choice; the case may be checked more often for another user.' }),
    lastCheckedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the agency last answered about this case; null before the first check.' }),
    nextCheckAt: z.iso
      .datetime()
      .meta({ description: 'When the next check or try is due; in the past: it waits for its turn.' }),
    late: z
      .object({ code: z.enum(LATE_CODES), reason: z.string() })
      .nullable()
      .meta({ description: 'Why the check is late, or gave no status; null when all is well.' }),
  })
  .meta({ id: 'Watch' });
export type Watch = z.output<typeof watch>;

export const listWatches = defineRoute({
  id: 'listWatches',
  service: 'monitoring',
  method: 'GET',
  path: '/api/watches',
  access: 'user',
  summary: 'When the watched cases of the signed-in user were checked, and when they will be',
  query: chosenCases,
  answer: z.array(watch),
});

export const dueChecks = z
  .object({
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime(),
    started: z.int().meta({ description: 'How many checks were due, up to one batch of the scheduler.' }),
    outcomes: z
      .partialRecord(z.enum([...CHECK_OUTCOMES, 'unasked']), z.int())
      .meta({ description: 'What came back, counted; `unasked`: the cases service was unavailable.' }),
    nextDueAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Of the checks that remain; null: none is scheduled.' }),
  })
  .meta({ id: 'DueChecks' });
export type DueChecks = z.output<typeof dueChecks>;

export const checkDueCases = defineRoute({
  id: 'checkDueCases',
  service: 'monitoring',
  access: 'admin',
  permission: 'agency.demonstrate',
  method: 'POST',
  path: '/api/admin/due-checks',
  summary: 'Run one batch of the scheduled checks that are due now',
  description:
    'What the scheduler does by itself, in its way: each due check is claimed by one pass, and its next one is scheduled as ever. Nothing that is not due is checked.',
  answer: dueChecks,
});
