import { z } from 'zod';
import { AGENCY_MESSAGE_MAX } from './limits.ts';
import { ERROR_STATUS, type ErrorCode } from './route-contract.ts';

export const errorCode = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]);

/** Says which text stands in an answer, so that a client can say it in another language (`server-text.ts`). */
export const textReference = {
  messageKey: z.string().optional().meta({ description: 'Names the text where its code does not.' }),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .meta({ description: 'What the text says of this case: `seconds` to wait.' }),
};

/** What the agency itself said of a failure. A text of its own: it is never part of ours. */
export const agencyMessage = z.string().max(AGENCY_MESSAGE_MAX).optional().meta({
  description:
    'What the agency said, as plain text in its own words: show it as a quotation, beside `error`.',
});

/** Why one item of an answer was refused. */
export const itemRefusal = {
  error: z.string().optional(),
  code: errorCode.optional(),
  ...textReference,
  agencyMessage,
};

/** The body of every answer that is not a success. `error` is written for users. */
export const errorBody = z
  .object({
    error: z.string(),
    code: errorCode,
    ...textReference,
    agencyMessage,
    details: z
      .array(z.object({ path: z.string(), message: z.string(), messageKey: z.string().optional() }))
      .optional()
      .meta({
        description:
          'Field by field: for VALIDATION what is wrong, for EDIT_CONFLICT the values as they are now.',
      }),
    requestId: z.string(),
  })
  .meta({ id: 'Error' });

export type ErrorBody = z.output<typeof errorBody>;
