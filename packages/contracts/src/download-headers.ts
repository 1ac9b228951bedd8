import { z } from 'zod';

/** Headers of an answer that browsers save as a file. */
export const DOWNLOAD = {
  'Content-Disposition': { description: 'Names the file.', schema: z.string() },
} as const;

const file = { answer: z.string(), answerHeaders: DOWNLOAD } as const;

/** The answer of a route that makes a file of rows. */
export const CSV_FILE = {
  ...file,
  answerType: 'text/csv',
  description: 'Values that a spreadsheet would take for a formula begin with an apostrophe.',
} as const;

/** The answer of a route that makes a file of one JSON object a line. */
export const NDJSON_FILE = { ...file, answerType: 'application/x-ndjson' } as const;
