import { z } from 'zod';
import { calendarDay, enteredDates } from './case-dates.ts';
import { caseTag, caseTags } from './case-tags.ts';
import { nickname, receiptNumber, savedCase } from './cases.ts';
import { itemRefusal } from './error-body.ts';
import { fieldMessage } from './field-texts.ts';
import { LANGUAGES } from './languages.ts';
import {
  MONITORING_FREQUENCIES,
  REMOVED_CASES_DAYS,
  SAVED_CASE_BULK_MAX,
  SNOOZE_DAYS_MAX,
  TAGS_MAX,
} from './limits.ts';
import { defineRoute } from './route-contract.ts';
import { text } from './text.ts';

/** Each is served by an index of the user's cases. */
export const SAVED_CASE_SORTS = [
  'created',
  'receipt',
  'nickname',
  'status',
  'form',
  'changed',
  'monitoring',
  'date',
] as const;
export type SavedCaseSort = (typeof SAVED_CASE_SORTS)[number];
export const MONITORING_FILTERS = ['any', ...MONITORING_FREQUENCIES] as const;
const PAGE_MAX = 500;
const PAGE_SIZE = 50;

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const filterText = (name: string, most: number) =>
  text({ max: [most, `${name} must be at most ${most} characters`] }).optional();

/** Which of the saved cases: every filter given must fit. */
const filters = {
  search: filterText('search', 100).meta({
    description:
      'Part of the receipt number, the nickname or a tag; case and accents do not matter, nor do spaces and hyphens of a receipt number.',
  }),
  status: filterText('status', 1_000).meta({ description: 'In any spelling.' }),
  needsAction: flag.optional().meta({ description: 'Whether the status asks something of the applicant.' }),
  form: filterText('form', 100),
  tag: filterText('tag', 100).meta({ description: 'In any case.' }),
  monitoring: z.enum(MONITORING_FILTERS).optional().meta({ description: 'any: every one but none.' }),
  changedSince: z.iso.datetime({ offset: true }).optional().meta({
    description:
      'The status changed then or later. A date that the agency gives has no time zone and is taken to be at this offset; without one, what counts is when the status was first seen.',
  }),
  dateUntil: calendarDay.optional().meta({ description: 'An open date is on this day or before it.' }),
  archived: flag.default(false).meta({ description: 'The archived cases instead of the others.' }),
};

const facet = z.array(z.object({ value: z.string(), count: z.int() }));

const workspaceSummary = z
  .object({
    matching: z.int().meta({ description: 'Cases that fit the filters.' }),
    active: z.int().meta({ description: 'Saved cases that are not archived.' }),
    archived: z.int(),
    needsAction: z.int().meta({ description: 'Of those that are shown without other filters.' }),
    statuses: facet,
    forms: facet,
    tags: facet,
  })
  .meta({ id: 'WorkspaceSummary' });
export type WorkspaceSummary = z.output<typeof workspaceSummary>;

const cases = { service: 'cases', access: 'user' } as const;

export const savedCasesQuery = z.object({
  ...filters,
  sort: z.enum(SAVED_CASE_SORTS).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
  language: z
    .enum(LANGUAGES)
    .default('en')
    .meta({ description: 'Whose alphabet nicknames and the tags of the summary are sorted by.' }),
  cursor: z.string().max(4_000).meta({ pattern: '^[\\w-]*$' }).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_SIZE),
});
export type SavedCasesQuery = z.output<typeof savedCasesQuery>;

export const listSavedCasesPage = defineRoute({
  ...cases,
  id: 'listSavedCasesPage',
  method: 'GET',
  path: '/api/saved-cases/page',
  summary: 'A page of the saved cases, searched, filtered and sorted',
  description:
    'Continue with `next` as the cursor, with the same filters and order. Cases that change between requests may move between pages.',
  query: savedCasesQuery,
  answer: z.object({
    cases: z.array(savedCase),
    next: z.string().nullable().meta({ description: 'null after the last page.' }),
    summary: workspaceSummary.nullable().meta({ description: 'With the first page only.' }),
  }),
});
export type SavedCasesPage = z.output<typeof listSavedCasesPage.answer>;

export const bulkOutcome = z
  .object({
    receiptNumber: z.string(),
    outcome: z.enum(['changed', 'unchanged', 'refused']).meta({
      description: 'unchanged: it was so already. refused: `code` and `error` say why.',
    }),
    ...itemRefusal,
  })
  .meta({ id: 'BulkOutcome' });
export type BulkOutcome = z.output<typeof bulkOutcome>;

const receiptNumbers = z
  .array(receiptNumber)
  .min(1, 'Choose at least one receipt number')
  .max(SAVED_CASE_BULK_MAX, fieldMessage('changes-at-once'));
const someTags = z
  .array(caseTag)
  .min(1, 'Choose at least one tag')
  .max(TAGS_MAX, fieldMessage('tags-at-once'));

const bulkChange = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('setFrequency'),
    receiptNumbers,
    monitoringFrequency: z.enum(MONITORING_FREQUENCIES),
    evenIfPaused: z.boolean().optional().meta({
      description:
        'After the end of Pro: the frequency is stored and runs when Pro returns, instead of being refused. This is how turning off a paused one is undone.',
    }),
  }),
  z.strictObject({ action: z.enum(['addTags', 'removeTags']), receiptNumbers, tags: someTags }),
  z.strictObject({
    action: z.literal('snooze'),
    receiptNumbers,
    snoozedUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: `null ends the snooze; at most ${SNOOZE_DAYS_MAX} days ahead.` }),
  }),
  z.strictObject({ action: z.enum(['archive', 'unarchive', 'remove', 'restore']), receiptNumbers }),
]);
export type BulkChange = z.output<typeof bulkChange>;

export const changeSavedCases = defineRoute({
  ...cases,
  id: 'changeSavedCases',
  method: 'POST',
  path: '/api/saved-cases/bulk',
  summary: `Change up to ${SAVED_CASE_BULK_MAX} saved cases alike`,
  description: `One transaction; an outcome for each distinct receipt number, in the order asked. A request that is sent again changes nothing more. Removed cases can be restored for ${REMOVED_CASES_DAYS} days.`,
  body: bulkChange,
  answer: z.object({ results: z.array(bulkOutcome) }),
  errors: ['PRO_REQUIRED'],
});

const importedCase = z.strictObject({
  receiptNumber,
  nickname: nickname.optional(),
  tags: caseTags.optional(),
  dates: enteredDates.optional(),
  monitoringFrequency: z.enum(MONITORING_FREQUENCIES).default('none'),
});
export type ImportedCase = z.output<typeof importedCase>;

export const importSavedCases = defineRoute({
  ...cases,
  id: 'importSavedCases',
  method: 'POST',
  path: '/api/saved-cases/import',
  summary: `Save up to ${SAVED_CASE_BULK_MAX} cases`,
  description:
    'One transaction; an outcome for each distinct receipt number, in the order given. A case that is saved already stays as it is. The list, newest first, has the new ones in this order.',
  body: z.strictObject({
    cases: z
      .array(importedCase)
      .min(1, 'Choose at least one case')
      .max(SAVED_CASE_BULK_MAX, fieldMessage('cases-at-once')),
    after: receiptNumber.optional().meta({
      description: 'The saved case that these follow, newest first: the last one of the request before.',
    }),
  }),
  answer: z.object({ results: z.array(bulkOutcome) }),
  errors: ['PRO_REQUIRED'],
});

export const removedCase = z
  .object({
    receiptNumber: z.string(),
    nickname: z.string().nullable(),
    tags: z.array(z.string()),
    monitoringFrequency: z.enum(MONITORING_FREQUENCIES),
    lastKnownStatus: z.string().nullable(),
    removedAt: z.iso.datetime(),
    restorableUntil: z.iso.datetime(),
  })
  .meta({ id: 'RemovedCase' });
export type RemovedCase = z.output<typeof removedCase>;

export const listRemovedCases = defineRoute({
  ...cases,
  id: 'listRemovedCases',
  method: 'GET',
  path: '/api/saved-cases/removed',
  summary: `The cases that were removed within ${REMOVED_CASES_DAYS} days, latest first`,
  description: `The latest ${SAVED_CASE_BULK_MAX}.`,
  answer: z.array(removedCase),
});
