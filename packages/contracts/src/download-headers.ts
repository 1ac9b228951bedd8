import { z } from 'zod';

/** Headers of an answer that browsers save as a file. */
export const DOWNLOAD = {
  'Content-Disposition': { description: 'Names the file.', schema: z.string() },
} as const;
