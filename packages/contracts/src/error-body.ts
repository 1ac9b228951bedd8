import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './route-contract.ts';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every answer that is not a success. `error` is written for users. */
export const errorBody = z
  .object({
    error: z.string(),
    code: z.enum(codes),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description:
          'Field by field: for VALIDATION what is wrong, for EDIT_CONFLICT the values as they are now.',
      }),
    requestId: z.string(),
  })
  .meta({ id: 'Error' });

export type ErrorBody = z.output<typeof errorBody>;
