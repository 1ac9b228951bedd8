import { invalidRequest } from '../stripe-error.ts';

export type FormValue = string | FormValue[] | FormRecord;
export interface FormRecord {
  [name: string]: FormValue;
}

const DEEPEST = 8;
const PART = /\[([^[\]]*)\]/g;

/**
 * Reads `items[0][price]=x&expand[]=y&metadata[a]=b` into nested records. A record whose names are 0, 1, 2 … becomes
 * an array. @throws StripeError for names that contradict each other.
 */
export function parseForm(text: string): FormRecord {
  const root: FormRecord = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) put(root, partsOf(name), value, name);
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, asArrays(value)]));
}

function partsOf(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket < 0) return [name];
  const parts = [name.slice(0, bracket), ...[...name.matchAll(PART)].map(([, part = '']) => part)];
  if (parts.length > DEEPEST) throw invalidRequest(`Invalid parameter name: ${name}`);
  return parts;
}

function put(root: FormRecord, parts: string[], value: string, name: string): void {
  let at = root;
  for (const [index, part] of parts.entries()) {
    const key = part === '' ? String(Object.keys(at).length) : part;
    if (index === parts.length - 1) {
      at[key] = value;
      return;
    }
    at[key] ??= Object.create(null) as FormRecord;
    const next = at[key];
    if (typeof next === 'string' || Array.isArray(next))
      throw invalidRequest(`Invalid parameter name: ${name}`);
    at = next;
  }
}

function asArrays(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, asArrays(inner)] as const);
  if (entries.length > 0 && entries.every(([name], index) => name === String(index))) {
    return entries.map(([, inner]) => inner);
  }
  return Object.fromEntries(entries);
}
