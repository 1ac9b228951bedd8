import { type FormEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { errorsByField, type FieldErrors, findFieldErrors } from './field-errors.ts';

interface CheckedFormOptions<Field extends string, Values> {
  fields: readonly Field[];
  schema: z.ZodType;
  /** What to send, made from the texts of the form. */
  toValues: (texts: Record<Field, string>) => Values;
  submit: (values: Values) => Promise<unknown>;
  /** Called when the server, or the way to it, refuses. */
  onRefused: (error: unknown) => void;
}

/**
 * Returns a form whose fields keep their own text. It is checked before it is sent; what is wrong, by the check or by
 * the server, is given per field, and the first such field gets the focus.
 */
export function useCheckedForm<Field extends string, Values>(options: CheckedFormOptions<Field, Values>) {
  const { fields, schema, toValues, submit, onRefused } = options;
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors<Field>>({});

  const showErrors = (found: FieldErrors<Field>) => {
    setErrors(found);
    const first = fields.find((field) => found[field] !== undefined);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = toValues(readTexts(event.currentTarget, fields));
    const found = findFieldErrors(schema, fields, values);
    showErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      await submit(values);
    } catch (error) {
      // The details of a conflict are saved values, not errors.
      if (error instanceof ApiError && error.code !== 'EDIT_CONFLICT') {
        showErrors(errorsByField(fields, error.details));
      }
      onRefused(error);
    }
  };

  return { errors, formProps: { ref: form, onSubmit, noValidate: true } };
}

function readTexts<Field extends string>(
  form: HTMLFormElement,
  fields: readonly Field[],
): Record<Field, string> {
  const data = new FormData(form);
  const texts: Partial<Record<Field, string>> = {};
  for (const field of fields) texts[field] = String(data.get(field) ?? '');
  return texts as Record<Field, string>;
}
