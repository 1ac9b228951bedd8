import { z } from 'zod';
import { CSV_FILE, NDJSON_FILE } from './download-headers.ts';
import { ADMIN_LOG_PAGE_SIZE, TIERS } from './limits.ts';
import { LOG_SEARCH_MAX, LogSearchError, parseLogSearch } from './log-search.ts';
import { LOOKUP_CAUSES, LOOKUP_ORIGINS, LOOKUP_OUTCOMES } from './lookup-outcomes.ts';
import { defineRoute } from './route-contract.ts';

const moment = z.iso.datetime();

export const apiLog = z
  .object({
    id: z.uuid(),
    createdAt: moment.meta({ description: 'When the lookup ended.' }),
    endpoint: z.string(),
    receiptNumbers: z.array(z.string()),
    userId: z.uuid().nullable().meta({ description: 'null for scheduled checks and deleted users.' }),
    userFirstName: z.string().nullable(),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'Of the last call; null when no answer came or no call was made.' }),
    success: z.boolean().meta({ description: 'The caller got a current status.' }),
    durationMs: z.int().meta({ description: 'From the request to the answer.' }),
    requestPayload: z.unknown().meta({ description: 'JSON.' }),
    responsePayload: z
      .string()
      .nullable()
      .meta({ description: 'null without an answer, and once its time of keeping is over.' }),
    source: z.enum(['user', 'monitor']),
    place: z.string().meta({ description: 'Names the row in the address of `getLog`.' }),
    outcome: z.enum(LOOKUP_OUTCOMES),
    cause: z
      .enum(LOOKUP_CAUSES)
      .nullable()
      .meta({ description: 'Where the cause of a failure lies; null without one.' }),
    code: z.string().nullable().meta({ description: 'Why there is no current status; null with one.' }),
    reason: z.string().nullable().meta({ description: 'The code in words.' }),
    queueMs: z.int().meta({ description: 'Waiting for a turn within the budget.' }),
    agencyMs: z.int().meta({ description: 'Waiting for the agency.' }),
    agencyCalls: z.int().meta({ description: 'Calls that this lookup made itself.' }),
    requestId: z.uuid().nullable().meta({ description: 'The x-request-id of the answer to the user.' }),
    traceId: z.string().nullable(),
    tier: z.enum(TIERS).nullable(),
    origin: z.enum(LOOKUP_ORIGINS).nullable(),
    servedStale: z.boolean().meta({ description: 'An older status was shown instead.' }),
    earlierCalls: z
      .array(
        z.object({
          statusCode: z.int().nullable(),
          code: z.string(),
          durationMs: z.int(),
          responsePayload: z.string().nullable(),
        }),
      )
      .meta({ description: 'The calls before the last one.' }),
  })
  .meta({ id: 'ApiLog' });
export type ApiLog = z.output<typeof apiLog>;

const search = z
  .string()
  .max(LOG_SEARCH_MAX)
  .transform((text, context) => {
    try {
      return parseLogSearch(text);
    } catch (error) {
      if (!(error instanceof LogSearchError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Which calls: every filter given must fit. */
const filters = {
  q: search.optional().meta({
    description:
      'A search such as `receipt:WAC24* user:maria outcome:fault created:>=2026-11-01 ms:>2000 -status:404`. Unknown keys are refused with those that are possible.',
  }),
  receiptNumber: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'The number or how it begins, with or without spaces and hyphens.' }),
  user: z.string().max(100).optional().meta({
    description: "A user's id, or the beginning of a first name, last name or e-mail address in any case.",
  }),
  source: z.enum(['user', 'monitor']).optional(),
  success: flag.optional(),
  statusCode: z.coerce.number().int().min(100).max(599).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Not included.' }),
};
export const logFilters = z.object(filters);
export type LogFilters = z.output<typeof logFilters>;

const cursor = z.string().max(100);

const admin = { service: 'admin-log', access: 'admin', permission: 'logs.read' } as const;
/** Closed to auditors: a search for a prefix would undo the masking, character by character. */
const PERSONAL = ['receiptNumber', 'user'] as const;

export const listLogs = defineRoute({
  ...admin,
  personalQuery: PERSONAL,
  id: 'listLogs',
  method: 'GET',
  path: '/api/admin/logs',
  summary: 'Lookups of cases, newest first',
  description:
    'Pages by `offset`, or by the cursors of the answer: `older` goes towards the past from it, `newer` towards the present.',
  query: z.object({
    ...filters,
    limit: z.coerce.number().int().min(1).max(200).default(ADMIN_LOG_PAGE_SIZE),
    offset: z.coerce.number().int().min(0).default(0),
    older: cursor.optional(),
    newer: cursor.optional(),
  }),
  answer: z.object({
    logs: z.array(apiLog).meta({ description: 'Newest first, also after `newer`.' }),
    totalCount: z.int(),
    totalIsExact: z.boolean().meta({ description: 'false: there are at least totalCount.' }),
    older: cursor.nullable().meta({ description: 'null when there is nothing older.' }),
    newer: cursor.nullable().meta({ description: 'The cursor for newer ones; null without any.' }),
  }),
});

export const getLog = defineRoute({
  ...admin,
  id: 'getLog',
  method: 'GET',
  path: '/api/admin/logs/rows/:place',
  summary: 'One lookup, by the place that a list names',
  params: z.object({ place: cursor }),
  answer: apiLog,
  errors: ['NOT_FOUND'],
});

const exportQuery = z.object(filters);

export const exportLogsCsv = defineRoute({
  ...CSV_FILE,
  ...admin,
  permission: 'logs.export',
  id: 'exportLogsCsv',
  method: 'GET',
  path: '/api/admin/logs.csv',
  summary: 'The calls that fit the filters, as CSV',
  query: exportQuery,
});

export const exportLogsNdjson = defineRoute({
  ...NDJSON_FILE,
  ...admin,
  permission: 'logs.export',
  id: 'exportLogsNdjson',
  method: 'GET',
  path: '/api/admin/logs.ndjson',
  summary: 'The calls that fit the filters, one JSON object a line',
  query: exportQuery,
});

const causes = z
  .object({ user: z.int(), agency: z.int(), us: z.int() })
  .meta({ description: 'Lookups without a current status, by where the cause lies.' });

export const callOverview = z
  .object({
    from: moment,
    to: moment,
    bucketMinutes: z.int(),
    buckets: z.array(
      z.object({
        at: moment,
        calls: z.int(),
        errors: z.int(),
        causes,
        p50Ms: z.int().nullable(),
        p95Ms: z.int().nullable(),
      }),
    ),
    health: z
      .array(
        z.object({
          at: moment,
          answered: z.int(),
          faults: z.int().meta({ description: 'Calls that gave no usable answer.' }),
          suspended: z.int().meta({ description: 'Lookups while calls were suspended (circuit open).' }),
        }),
      )
      .meta({
        description: 'How the agency answered, every ten minutes; stretches without a call are left out.',
      }),
    topReceipts: z
      .array(z.object({ receiptNumber: z.string(), lookups: z.int() }))
      .meta({ description: 'The receipt numbers that were looked up most often in the 24 hours.' }),
    totals: z.object({
      calls: z.int(),
      errors: z.int(),
      causes,
      p50Ms: z.int().nullable(),
      p95Ms: z.int().nullable(),
    }),
    budget: z.object({
      callsPerDay: z.int(),
      usedToday: z.int().meta({ description: "Since the agency's day began." }),
    }),
  })
  .meta({ id: 'CallOverview' });
export type CallOverview = z.output<typeof callOverview>;

export const getCallOverview = defineRoute({
  ...admin,
  id: 'getCallOverview',
  method: 'GET',
  path: '/api/admin/logs/overview',
  summary: 'The calls of the last 24 hours, counted by the hour',
  answer: callOverview,
});

export const auditEntry = z
  .object({
    id: z.uuid(),
    at: moment,
    actor: z.string().nullable().meta({
      description: "The administrator's name, `passcode`, or `command line`; null when it is not known.",
    }),
    actorId: z.string().nullable().meta({ description: 'Of the administrator.' }),
    role: z.string().nullable(),
    action: z.string(),
    subject: z.string(),
    success: z.boolean(),
    sessionId: z.string().nullable(),
    address: z.string().nullable().meta({ description: 'The network, not the whole address.' }),
    details: z.record(z.string(), z.string()),
    seq: z.int().meta({ description: 'The place in the chain.' }),
    hash: z.string().meta({ description: 'SHA-256 of the entry and the hash before, hex.' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntry>;

const auditFilters = {
  action: z.string().max(60).optional().meta({
    description:
      'The beginning of the stored name, or words of the name that people read, such as `exported`, in any case.',
  }),
  subject: z.string().max(100).optional().meta({ description: 'The beginning is enough.' }),
  actor: z.string().max(100).optional().meta({ description: 'The beginning is enough, in any case.' }),
  success: flag.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
};
const auditQuery = z.object(auditFilters);
export type AuditFilters = z.output<typeof auditQuery>;

const audit = { ...admin, permission: 'audit.read', method: 'GET' } as const;

export const listAudit = defineRoute({
  ...audit,
  id: 'listAudit',
  path: '/api/admin/audit',
  summary: 'What administrators did, or tried, newest first',
  query: z.object({
    ...auditFilters,
    limit: z.coerce.number().int().min(1).max(200).default(ADMIN_LOG_PAGE_SIZE),
    older: cursor.optional(),
  }),
  answer: z.object({ entries: z.array(auditEntry), older: cursor.nullable() }),
});

export const exportAuditCsv = defineRoute({
  ...CSV_FILE,
  ...audit,
  id: 'exportAuditCsv',
  path: '/api/admin/audit.csv',
  summary: 'The entries that fit the filters, as CSV, newest first',
  query: auditQuery,
});
