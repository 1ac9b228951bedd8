import { z } from 'zod';
import { invalidRequest } from '../stripe-error.ts';

/** Parameters arrive as texts: these schemas read them as the API does. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const integer = z
  .string()
  .regex(/^-?[0-9]{1,15}$/, 'Invalid integer')
  .transform(Number);
export const text = z.string().max(5_000);
export const metadata = z.record(z.string().max(40), z.string().max(500));
/** What a list takes: how many, after which of them. */
export const page = {
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: z.string().optional(),
};
export const noParams = z.strictObject({});

type FormValue = string | FormValue[] | FormRecord;
interface FormRecord {
  [name: string]: FormValue;
}

/**
 * Reads `items[0][price]=x&expand[]=y&metadata[a]=b` into nested records. A record whose names are 0, 1, 2 … becomes an
 * array. @throws StripeError for names that contradict each other
 */
export function parseForm(form: string): FormRecord {
  const root: FormRecord = Object.create(null);
  for (const [name, value] of new URLSearchParams(form)) put(root, name, value);
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, asArrays(value)]));
}

const DEEPEST = 8;

function put(root: FormRecord, name: string, value: string): void {
  const [first = '', ...rest] = name.split('[');
  const parts = [first, ...rest.map((part) => part.replace(/\]$/, ''))];
  const last = parts.pop() ?? '';
  if (parts.length >= DEEPEST) throw invalidRequest(`Invalid parameter name: ${name}`);
  let at = root;
  for (const part of parts) {
    at[part] ??= Object.create(null) as FormRecord;
    const next = at[part];
    if (typeof next === 'string' || Array.isArray(next))
      throw invalidRequest(`Invalid parameter name: ${name}`);
    at = next;
  }
  at[last === '' ? String(Object.keys(at).length) : last] = value;
}

function asArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, asArrays(inner)] as const);
  const isArray = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isArray ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** @throws StripeError that names the first invalid parameter */
export function parseParams<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : (issue?.path ?? []);
  const [first = '', ...rest] = path.map(String);
  const param = `${first}${rest.map((part) => `[${part}]`).join('')}`;
  throw invalidRequest(`Invalid ${param}: ${issue?.message}`, param, 'parameter_invalid');
}
