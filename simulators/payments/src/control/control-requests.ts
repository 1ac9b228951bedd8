import { z } from 'zod';
import { FAULT_MODES } from './faults.ts';

const DEFAULT_SLOW_MS = 5_000;
const TEN_YEARS_DAYS = 3_650;

/** What the control API accepts: one schema per command. */
export const webhooksCommand = z.strictObject({
  duplicate: z.boolean().optional(),
  shuffle: z.boolean().optional(),
  drop: z.int().nonnegative().max(1_000_000).optional(),
  paused: z.boolean().optional(),
});

export const clockCommand = z
  .strictObject({
    advanceDays: z.number().nonnegative().max(TEN_YEARS_DAYS).optional(),
    advanceSeconds: z
      .number()
      .nonnegative()
      .max(TEN_YEARS_DAYS * 86_400)
      .optional(),
  })
  .refine(
    ({ advanceDays, advanceSeconds }) => (advanceDays === undefined) !== (advanceSeconds === undefined),
    {
      message: 'name one of advanceDays and advanceSeconds',
    },
  );

export const faultCommand = z.strictObject({
  mode: z.enum(['none', ...FAULT_MODES]),
  count: z.int().positive().optional(),
  delayMs: z.int().nonnegative().max(3_600_000).default(DEFAULT_SLOW_MS),
  path: z.string().startsWith('/v1/').default('/v1/'),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
});

export const outcomeCommand = z.strictObject({
  outcome: z.enum(['succeeded', 'failed']).default('succeeded'),
});

export const disputeCommand = z.strictObject({ reason: z.string().min(1).max(50).default('fraudulent') });

export const decisionCommand = z.strictObject({ outcome: z.enum(['won', 'lost']) });
