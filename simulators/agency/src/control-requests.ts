import { z } from 'zod';
import { ERROR_SHAPES } from './agency-reply.ts';
import { FAULT_MODES } from './faults.ts';

/** 3 letters and 10 digits, or an asterisk and 9 digits: everything a case can be asked by. */
const receiptNumber = z
  .string()
  .regex(/^[A-Z]{3}(?:[0-9]{10}|\*[0-9]{9})$/, 'must be 3 capital letters followed by 10 digits');

const statusTitle = z.string().trim().min(1).max(200);
const DEFAULT_SLOW_MS = 5_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** What the control API accepts: one schema per command. */
export const caseNumber = receiptNumber;

export const moveCommand = z.strictObject({
  status: statusTitle,
  date: z.iso.date().optional(),
  next: z.array(statusTitle).max(100).optional(),
});

export const faultCommand = z
  .strictObject({
    mode: z.enum(['none', ...FAULT_MODES]),
    endpoint: z.enum(['status', 'token']).default('status'),
    receiptNumber: receiptNumber.optional(),
    count: z.int().positive().optional(),
    shape: z.enum(ERROR_SHAPES).optional(),
    delayMs: z.int().nonnegative().max(3_600_000).default(DEFAULT_SLOW_MS),
  })
  .refine((fault) => fault.endpoint === 'status' || fault.receiptNumber === undefined, {
    message: 'the token endpoint knows no receipt number',
    path: ['receiptNumber'],
  });

export const limitsCommand = z.strictObject({
  callsPerSecond: z.int().nonnegative().optional(),
  callsPerDay: z.int().nonnegative().optional(),
  openingHours: z.enum(['always', 'sandbox']).optional(),
});

export const latencyCommand = z.strictObject({ ms: z.int().nonnegative().max(3_600_000) });

export const clockCommand = z.strictObject({ advanceMs: z.int().nonnegative().max(TEN_YEARS_MS) });
