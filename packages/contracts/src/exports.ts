import { z } from 'zod';
import { historyEntry, receiptNumber, savedCase } from './cases.ts';
import { DOWNLOAD } from './download-headers.ts';
import { fieldMessage } from './field-texts.ts';
import { EXPORT_SELECTION_MAX } from './limits.ts';
import { statusNotification } from './notifications.ts';
import { defineRoute } from './route-contract.ts';

/** The answer header of an export from which a progress bar is made. */
export const TOTAL_COUNT_HEADER = 'X-Total-Count';

const selection = {
  receiptNumbers: z
    .array(receiptNumber)
    .min(1, 'Choose at least one receipt number')
    .max(EXPORT_SELECTION_MAX, fieldMessage('exports-at-once'))
    .optional()
    .meta({ description: 'Only these cases; without it all of them, archived ones too.' }),
};
const timeZone = z
  .string()
  .max(64)
  .default('UTC')
  .meta({
    description: 'IANA name of the zone that times are written in; an unknown one counts as UTC.',
    examples: ['America/New_York'],
  });

const download = {
  method: 'POST',
  access: 'user',
  answer: z.string(),
  answerHeaders: {
    ...DOWNLOAD,
    [TOTAL_COUNT_HEADER]: {
      description: 'How many entries follow, at the time of the request; of a history, at most.',
      schema: z.int().min(0),
    },
  },
  errors: ['PRO_REQUIRED'],
} as const;
const STREAMED =
  'Read page by page while it is sent: what is removed before it was sent is left out. An answer that breaks off is not complete.';
const CSV = `${STREAMED} Times are ISO 8601 with the offset of the zone, which the headings name; a date of the agency has none. Values that a spreadsheet would take for a formula begin with an apostrophe.`;

/** One line of the NDJSON export. */
export const exportedCase = savedCase
  .omit({ id: true, userId: true, statusEs: true, needsAction: true })
  .extend({
    history: z
      .array(historyEntry.omit({ textEs: true }).meta({ id: 'ExportedEntry' }))
      .meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'ExportedCase' });
export type ExportedCase = z.output<typeof exportedCase>;

export const CASE_EXPORT_CONTENTS = ['cases', 'history'] as const;

export const exportCasesCsv = defineRoute({
  ...download,
  id: 'exportCasesCsv',
  service: 'cases',
  path: '/api/saved-cases/export.csv',
  summary: 'Saved cases, or their history, as CSV (Pro)',
  description: `\`cases\`: a row per saved case, newest first. \`history\`: a row per status of each. ${CSV}`,
  body: z.strictObject({ content: z.enum(CASE_EXPORT_CONTENTS).default('cases'), ...selection, timeZone }),
  answerType: 'text/csv',
});

export const exportCasesNdjson = defineRoute({
  ...download,
  id: 'exportCasesNdjson',
  service: 'cases',
  path: '/api/saved-cases/export.ndjson',
  summary: 'Saved cases with their history, one JSON object a line (Pro)',
  description: `Newest first; each line is an ExportedCase. ${STREAMED}`,
  body: z.strictObject(selection),
  answerType: 'application/x-ndjson',
});

/** One line of the NDJSON export. */
export const exportedNotification = statusNotification.omit({ userId: true, order: true });
export type ExportedNotification = z.output<typeof exportedNotification>;

export const exportNotificationsCsv = defineRoute({
  ...download,
  id: 'exportNotificationsCsv',
  service: 'notifications',
  path: '/api/notifications/export.csv',
  summary: 'Notifications as CSV, newest first (Pro)',
  description: CSV,
  body: z.strictObject({ ...selection, timeZone }),
  answerType: 'text/csv',
});

export const exportNotificationsNdjson = defineRoute({
  ...download,
  id: 'exportNotificationsNdjson',
  service: 'notifications',
  path: '/api/notifications/export.ndjson',
  summary: 'Notifications, one JSON object a line (Pro)',
  description: `Newest first; each line is a Notification without its userId. ${STREAMED}`,
  body: z.strictObject(selection),
  answerType: 'application/x-ndjson',
});
