import { z } from 'zod';
import { invalidRequest, StripeError } from '../stripe-error.ts';

/** Parameters arrive as texts: these read them as the API does. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const integer = z
  .string()
  .regex(/^-?[0-9]{1,15}$/, 'Invalid integer')
  .transform(Number);
export const text = z.string().max(5_000);
/** An empty text takes the value away. */
export const clearable = text.transform((value) => (value === '' ? null : value));
/** Values of a metadata key; an empty one removes the key. */
export const metadata = z.union([z.record(z.string().max(40), z.string().max(500)), z.literal('')]);
/** A number of seconds, or `created[gte]=…`. */
export const timeRange = z.union([
  integer.transform((value) => ({ gte: value, lte: value })),
  z.strictObject({ gt: integer, gte: integer, lt: integer, lte: integer }).partial(),
]);
export const address = z
  .strictObject({ city: text, country: text, line1: text, line2: text, postal_code: text, state: text })
  .partial();
export const pageParams = {
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
};

/** @throws StripeError that names the first parameter at fault, in Stripe's words. */
export function parseParams<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) throw invalidRequest('Invalid parameters');
  const param = paramName(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = paramName([...issue.path, issue.keys[0] ?? '']);
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      message: `Received unknown parameter: ${unknown}`,
      param: unknown,
    });
  }
  if (valueAt(given, issue.path) === undefined) {
    throw invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
  }
  if (issue.message === 'Invalid integer') {
    throw invalidRequest(
      `Invalid integer: ${valueAt(given, issue.path)}`,
      param,
      'parameter_invalid_integer',
    );
  }
  throw invalidRequest(`Invalid ${param}: ${issue.message}`, param);
}

/** `items[0][price]`. */
function paramName([first = '', ...rest]: readonly PropertyKey[]): string {
  return `${String(first)}${rest.map((part) => `[${String(part)}]`).join('')}`;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
