import { z } from 'zod';
import { receiptNumber } from './cases.ts';
import { defineRoute } from './route-contract.ts';

/** Most receipt numbers in one request. */
export const CHECK_CASES_MAX = 100;
/**
 * - `observed`: the agency answered where the case stands; a `case-observed` event carries the status.
 * - `not-recognized`, `refused`: it answered, with no status; the same question gives the same answer.
 * - `failed`: no answer, or none that can be read.
 * - `no-budget`: the agency was not asked, because no call was left.
 */
export const CHECK_OUTCOMES = ['observed', 'not-recognized', 'refused', 'failed', 'no-budget'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export const checkResult = z
  .object({
    receiptNumber: z.string(),
    outcome: z.enum(CHECK_OUTCOMES),
    code: z
      .string()
      .optional()
      .meta({ description: 'Why there is no status: an error code of the public routes.' }),
    retryAfterSeconds: z.number().nonnegative().optional().meta({
      description:
        'May have a fraction. With `no-budget`, and with `failed` when it holds for every receipt number (the agency is unavailable): no check made sooner gets a call.',
    }),
  })
  .meta({ id: 'CheckResult' });
export type CheckResult = z.output<typeof checkResult>;

/** One result per receipt number asked, in any order. An observation's event is in the outbox before the answer. */
export const checkCases = defineRoute({
  id: 'checkCases',
  service: 'cases',
  method: 'POST',
  path: '/internal/cases/check',
  access: 'internal',
  summary: 'Ask the agency now where these cases stand, within the budget of scheduled checks',
  description:
    'Answers within 4 seconds: what the budget does not let through by then is `no-budget`. No failure fails the rest.',
  body: z.strictObject({
    receiptNumbers: z.array(receiptNumber).min(1).max(CHECK_CASES_MAX),
  }),
  answer: z.object({ results: z.array(checkResult) }),
});
