import { z } from 'zod';
import { caseStatusResult, receiptNumber } from './cases.ts';
import { itemRefusal } from './error-body.ts';
import { defineRoute } from './route-contract.ts';

/** The agency's checklist, by the HTTP status that shows each case. */
export const DEMONSTRATED_STATUS = {
  valid: 200,
  'not-recognized': 404,
  malformed: 422,
  unauthorized: 401,
  throttled: 429,
  unavailable: 503,
} as const;
export type DemonstratedCase = keyof typeof DEMONSTRATED_STATUS;
export const DEMONSTRATED_CASES = Object.keys(DEMONSTRATED_STATUS) as [
  DemonstratedCase,
  ...DemonstratedCase[],
];

/** Sent instead of the receipt number that was typed: no agency gives these out, so that no one's case is looked up. */
export const DEMONSTRATED_NUMBERS: Partial<Record<DemonstratedCase, string>> = {
  'not-recognized': 'ZZZ9999999999',
  malformed: 'ZZZ999999999',
};

/** Longer bodies of the agency are cut. */
export const DEMONSTRATED_BODY_MAX = 20_000;

const moment = z.iso.datetime();
const headers = z.record(z.string(), z.string());

export const agencyExchange = z
  .object({
    sentAt: moment,
    durationMs: z.int(),
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: headers.meta({ description: 'Secrets are redacted.' }),
      body: z.string().optional(),
    }),
    answer: z
      .object({
        status: z.int(),
        headers,
        body: z.string().meta({ description: 'As text, without secrets; never HTML to be rendered.' }),
        isCut: z.boolean(),
      })
      .optional(),
    problem: z.string().optional().meta({ description: 'Why there is no answer.' }),
  })
  .meta({ id: 'AgencyExchange' });
export type AgencyExchange = z.output<typeof agencyExchange>;

export const agencyDemonstration = z
  .object({
    case: z.enum(DEMONSTRATED_CASES),
    receiptNumber: z.string().meta({ description: 'As it was sent.' }),
    startedAt: moment,
    endedAt: moment,
    agency: z.object({
      baseUrl: z.string(),
      kind: z.enum(['production', 'sandbox', 'simulator']).meta({
        description: 'By its host: anything outside of uscis.gov is a simulator.',
      }),
    }),
    outcome: z.enum(['shown', 'not-shown', 'not-provoked']).meta({
      description:
        '`not-shown`: the agency answered otherwise, or no call was made. `not-provoked`: none was meant to be.',
    }),
    token: agencyExchange.optional().meta({ description: 'Absent where no token was requested.' }),
    status: agencyExchange.optional().meta({ description: 'Absent where the status was not requested.' }),
    read: z
      .union([
        z.object({ fields: z.record(z.string(), z.string()) }),
        z.object({ code: z.string(), agencyMessage: z.string().optional() }),
      ])
      .optional()
      .meta({ description: 'What Casewatch read: the fields of a case, or why there are none.' }),
    isStored: z.boolean(),
    shown: z
      .union([z.object({ result: caseStatusResult }), z.object({ refusal: z.object(itemRefusal) })])
      .optional()
      .meta({ description: 'What a user without an earlier answer would see.' }),
  })
  .meta({ id: 'AgencyDemonstration' });
export type AgencyDemonstration = z.output<typeof agencyDemonstration>;

/** For owners: it spends calls, and shows what the agency says about any case. */
export const demonstrateAgencyCall = defineRoute({
  id: 'demonstrateAgencyCall',
  service: 'cases',
  access: 'admin',
  permission: 'agency.demonstrate',
  method: 'POST',
  path: '/api/admin/agency-demonstration',
  summary: "Make one call that shows a case of the agency's checklist",
  description:
    'Through the same queue, pace and quota as every lookup, and a row of its own in the log. An error that it provokes has no effect on other lookups.',
  body: z.strictObject({ case: z.enum(DEMONSTRATED_CASES), receiptNumber }),
  answer: agencyDemonstration,
});
