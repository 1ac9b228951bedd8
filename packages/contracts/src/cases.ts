import { z } from 'zod';
import { caseDate } from './case-dates.ts';
import { caseTags } from './case-tags.ts';
import { CSV_FILE } from './download-headers.ts';
import { agencyMessage, errorCode, itemRefusal, textReference } from './error-body.ts';
import { fieldMessage } from './field-texts.ts';
import {
  BULK_SEARCH_MAX,
  CHOSEN_CASES_MAX,
  MONITORING_FREQUENCIES,
  NICKNAME_MAX_LENGTH,
  REMOVED_CASES_DAYS,
  SNOOZE_DAYS_MAX,
} from './limits.ts';
import { asksSomething } from './notifications.ts';
import { isReceiptNumber, normaliseReceiptNumber } from './receipt-number.ts';
import { defineRoute } from './route-contract.ts';
import { text } from './text.ts';

/** Parses to a normalised receipt number: upper case, no spaces or hyphens. */
export const receiptNumber = z
  .string()
  .max(64, fieldMessage('receipt-number-invalid'))
  .transform(normaliseReceiptNumber)
  .refine(isReceiptNumber, fieldMessage('receipt-number-invalid'))
  .meta({
    description:
      '3 letters and 10 digits; case, spaces, dashes and look-alikes of other scripts do not matter.',
    maxLength: 64,
    pattern: '^[\\s-]*(?:[A-Za-z][\\s-]*){3}(?:[0-9][\\s-]*){10}$',
    examples: ['EAC9999103403'],
  });

/** Which cases a read is about; all of them without it. */
export const chosenCases = z.object({
  receiptNumbers: z
    .string()
    .regex(
      new RegExp(`^[A-Z]{3}[0-9]{10}(,[A-Z]{3}[0-9]{10}){0,${CHOSEN_CASES_MAX - 1}}$`),
      `Choose up to ${CHOSEN_CASES_MAX} receipt numbers, separated by commas`,
    )
    .transform((list) => list.split(','))
    .optional()
    .meta({ description: 'Only these, separated by commas.', examples: ['EAC9999103403,LIN9999106498'] }),
});

export const HISTORY_SOURCES = ['agency', 'observed'] as const;

export const historyEntry = z
  .object({
    caseStatus: z.string(),
    statusHistDate: z.string().nullable().meta({ description: 'As the agency writes it; null if unknown.' }),
    source: z.enum(HISTORY_SOURCES).meta({
      description: '`agency`: an entry of its history. `observed`: a status that a check of ours met.',
    }),
    firstObservedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When a check of ours first met this status; null if none has.' }),
    textEs: z.string().optional().meta({ description: "The agency's own Spanish for caseStatus." }),
    withdrawnAt: z.iso.datetime().optional().meta({
      description: 'Since when the agency no longer lists this entry of its history; absent while it does.',
    }),
  })
  .meta({ id: 'HistoryEntry' });

const descriptionLink = z.object({ text: z.string(), href: z.url() });

export const caseStatusResult = z
  .object({
    receiptNumber: z.string(),
    caseStatus: z.string(),
    needsAction: asksSomething,
    caseDescription: z.string().meta({ description: 'Plain text; never HTML.' }),
    descriptionLinks: z.array(descriptionLink).meta({
      description: 'Links of the description: https only, in order; `text` occurs in caseDescription.',
    }),
    formType: z.string(),
    applicationOrPetitionType: z.string(),
    caseSubstatus: z.string(),
    channelType: z.string(),
    caseCreationDate: z.string().nullable(),
    caseLastUpdated: z.string().nullable(),
    histCaseData: z.array(historyEntry).meta({ description: 'Newest first.' }),
    observedAt: z.iso
      .datetime()
      .meta({ description: 'When the agency was asked for the newest answer with this status.' }),
    statusEs: z.string().optional().meta({ description: "The agency's own Spanish for caseStatus, if any." }),
    applicationOrPetitionTypeEs: z.string().optional().meta({ description: 'In Spanish, of a known form.' }),
    descriptionEs: z.string().optional().meta({ description: 'The same for caseDescription: plain text.' }),
    descriptionLinksEs: z.array(descriptionLink).optional().meta({ description: 'Links of descriptionEs.' }),
    stale: z
      .object({ code: errorCode, reason: z.string(), ...textReference, agencyMessage })
      .optional()
      .meta({ description: 'Present when the agency could not be asked now: why an older answer is shown.' }),
  })
  .meta({ id: 'CaseStatusResult' });
export type CaseStatusResult = z.output<typeof caseStatusResult>;

export const bulkResultItem = z
  .object({
    success: z.boolean(),
    receiptNumber: z.string(),
    data: caseStatusResult.optional(),
    ...itemRefusal,
    requestId: z.string().optional().meta({
      description: 'Of a failure that is not about the receipt number: what support finds it by.',
    }),
  })
  .meta({ id: 'BulkResultItem' });
export type BulkResultItem = z.output<typeof bulkResultItem>;

export const savedCase = z
  .object({
    id: z.uuid(),
    userId: z.uuid(),
    receiptNumber: z.string(),
    nickname: z.string().nullable(),
    monitoringFrequency: z.enum(MONITORING_FREQUENCIES).meta({ description: 'What the user chose.' }),
    monitoringPausedAt: z.iso.datetime().nullable().meta({
      description: 'Since when it is paused because Pro ended, and resumes when Pro returns; null: it runs.',
    }),
    lastCheckedAt: z.iso.datetime().nullable(),
    lastKnownStatus: z.string().nullable(),
    needsAction: asksSomething,
    statusEs: z.string().optional().meta({ description: "The agency's own Spanish for lastKnownStatus." }),
    createdAt: z.iso.datetime(),
    tags: z.array(z.string()),
    archivedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when it is archived, and not checked.' }),
    snoozedUntil: z.iso.datetime().nullable().meta({
      description: 'Until when its alerts wait, except those that need action; may have passed.',
    }),
    formType: z.string().nullable().meta({ description: 'null before the first observation.' }),
    statusChangedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when the case has its status, as far as is known; it orders cases.' }),
    statusDate: z.iso.date().optional().meta({
      description:
        'The day that the agency itself gives for it, in no time zone; without one statusChangedAt is when the status was first seen.',
    }),
    dates: z
      .array(caseDate)
      .optional()
      .meta({ description: 'What the user entered from notices, in the order of the days; absent: none.' }),
  })
  .meta({ id: 'SavedCase' });
export type SavedCase = z.output<typeof savedCase>;

export const nickname = text({
  max: [NICKNAME_MAX_LENGTH, 'nickname-max'],
  invisible: 'nickname-invisible',
  example: 'Green card',
}).nullable();
const monitoringFrequency = z.enum(MONITORING_FREQUENCIES);
const byReceiptNumber = z.object({ receiptNumber });

/** The request log shows what made a user look a case up; it changes nothing else. */
const lookUpQuery = z.object({
  origin: z.enum(['search', 'check-now']).default('search').meta({
    description:
      '`check-now`: the user refreshed a case that the product already shows. For the request log.',
  }),
});

const forUsers = { service: 'cases', access: 'user' } as const;

export const lookUpCase = defineRoute({
  ...forUsers,
  id: 'lookUpCase',
  method: 'GET',
  path: '/api/case-status/:receiptNumber',
  summary: 'The status of one case',
  params: byReceiptNumber,
  query: lookUpQuery,
  answer: caseStatusResult,
  errors: ['RECEIPT_NOT_RECOGNIZED', 'AGENCY_REFUSED', 'AGENCY_BUSY', 'AGENCY_UNAVAILABLE', 'BUDGET_SPENT'],
});

export const lookUpCases = defineRoute({
  ...forUsers,
  id: 'lookUpCases',
  method: 'POST',
  path: '/api/case-status/bulk',
  summary: `The status of up to ${BULK_SEARCH_MAX} cases (pro)`,
  description: 'One item per distinct receipt number, in the order asked; a bad item fails alone.',
  query: lookUpQuery,
  body: z.strictObject({
    receiptNumbers: z
      .array(z.string().max(64))
      .min(1, 'Choose at least one receipt number')
      .max(BULK_SEARCH_MAX, fieldMessage('lookups-at-once')),
  }),
  answer: z.array(bulkResultItem),
  errors: ['PRO_REQUIRED'],
});

export const listSavedCases = defineRoute({
  ...forUsers,
  id: 'listSavedCases',
  method: 'GET',
  path: '/api/saved-cases',
  summary: 'The saved cases of the signed-in user, newest first',
  query: chosenCases,
  answer: z.array(savedCase),
});

export const exportSavedCases = defineRoute({
  ...CSV_FILE,
  ...forUsers,
  id: 'exportSavedCases',
  method: 'GET',
  path: '/api/saved-cases.csv',
  summary: 'The saved cases of the signed-in user as CSV, newest first (Pro)',
  description:
    'Times are in UTC. Values that a spreadsheet would take for a formula begin with an apostrophe. `exportCasesCsv` also exports a selection, the history, and times of another zone.',
  errors: ['PRO_REQUIRED'],
});

export const saveCase = defineRoute({
  ...forUsers,
  id: 'saveCase',
  method: 'POST',
  path: '/api/saved-cases',
  summary: 'Save a case',
  description:
    'A case that was removed and can still be restored gets its dates back, and its nickname and tags unless others are given.',
  body: z.strictObject({
    receiptNumber,
    nickname: nickname.optional(),
    monitoringFrequency: monitoringFrequency.default('none'),
    tags: caseTags.optional(),
  }),
  status: 201,
  answer: savedCase,
  next: [
    { operationId: 'changeSavedCase', parameters: { receiptNumber: '/receiptNumber' } },
    { operationId: 'removeSavedCase', parameters: { receiptNumber: '/receiptNumber' } },
    { operationId: 'lookUpCase', parameters: { receiptNumber: '/receiptNumber' } },
  ],
  errors: ['SAVED_CASE_LIMIT', 'PRO_REQUIRED', 'CASE_ALREADY_SAVED'],
});

export const changeSavedCase = defineRoute({
  ...forUsers,
  id: 'changeSavedCase',
  method: 'PATCH',
  path: '/api/saved-cases/:receiptNumber',
  summary:
    'Change the nickname, the monitoring frequency, the tags, or whether the case is archived or snoozed',
  description: `An archived case still counts as saved and is not checked; monitoring resumes when it leaves the archive. Alerts of a snoozed case wait until then, at most ${SNOOZE_DAYS_MAX} days, except those that need action.`,
  params: byReceiptNumber,
  body: z
    .strictObject({
      nickname: nickname.optional(),
      monitoringFrequency: monitoringFrequency.optional(),
      tags: caseTags.optional(),
      archived: z.boolean().optional(),
      snoozedUntil: z.iso.datetime().nullable().optional(),
    })
    .refine(
      (body) => Object.keys(body).length > 0,
      'Choose what to change: nickname, monitoringFrequency, tags, archived or snoozedUntil',
    )
    .meta({ minProperties: 1 }),
  answer: savedCase,
  errors: ['SAVED_CASE_NOT_FOUND', 'PRO_REQUIRED'],
});

export const removeSavedCase = defineRoute({
  ...forUsers,
  id: 'removeSavedCase',
  method: 'DELETE',
  path: '/api/saved-cases/:receiptNumber',
  summary: 'Remove a saved case',
  description: `It can be restored for ${REMOVED_CASES_DAYS} days.`,
  params: byReceiptNumber,
  status: 204,
  answer: z.undefined(),
  errors: ['SAVED_CASE_NOT_FOUND'],
});
