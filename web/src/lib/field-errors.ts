import { FIELD_TEXTS, isFieldTextKey } from '@casewatch/contracts/field-texts';
import type { z } from 'zod';
import { languageShown } from './format-number.ts';

/** What is wrong with a form: the first message for each field that has one. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

/** Checks a form before it is sent; empty when nothing is wrong. */
export function findFieldErrors<Field extends string>(
  schema: z.ZodType,
  fields: readonly Field[],
  values: unknown,
): FieldErrors<Field> {
  const issues = schema.safeParse(values).error?.issues ?? [];
  return errorsByField(
    fields,
    issues.map(({ path, message }) => ({
      path: path.join('.'),
      message: isFieldTextKey(message) ? FIELD_TEXTS[message][languageShown()] : message,
    })),
  );
}

/** Returns the complaints about the fields of a form, the first for each; complaints about anything else are left out. */
export function errorsByField<Field extends string>(
  fields: readonly Field[],
  complaints: readonly { path: string; message: string }[],
): FieldErrors<Field> {
  const errors: FieldErrors<Field> = {};
  for (const field of fields) {
    const complaint = complaints.find(({ path }) => path === field);
    if (complaint !== undefined) errors[field] = complaint.message;
  }
  return errors;
}
