/** One field with a concurrent change that differs from the form. */
export interface Difference<Field extends string> {
  field: Field;
  /** What the other one saved, in words. */
  newer: string;
}

/**
 * Returns the fields that would take back a change saved since `base` was read, in the order of `fields`.
 * What only this form changes is none of them.
 */
export function differences<Form extends object, Field extends keyof Form & string>(
  fields: readonly Field[],
  base: Form,
  mine: Form,
  newer: Form,
): Difference<Field>[] {
  return fields
    .filter((field) => newer[field] !== base[field] && newer[field] !== mine[field])
    .map((field) => ({ field, newer: inWords(newer[field]) }));
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = String(value);
  return text === '' ? '(empty)' : text;
}
