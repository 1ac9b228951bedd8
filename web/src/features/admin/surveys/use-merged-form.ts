import { useState } from 'react';

interface MergedForm<Form, Field extends string> {
  values: Form;
  /** The version that the values go back to. */
  version: number;
  /** Concurrent changes; null without any. */
  conflict: readonly Difference<Field>[] | null;
  change: (part: Partial<Form>) => void;
  /** After a conflict: continues from what is saved now. What was typed stays. */
  rebase: (newer: Form, version: number) => void;
  /** Takes over what is saved now in some fields. */
  takeOver: (fields: readonly Field[]) => void;
}

/** Returns the values of a form that several people may be editing at once. */
export function useMergedForm<Form extends object, Field extends keyof Form & string>(
  fields: readonly Field[],
  initial: Form,
  initialVersion: number,
): MergedForm<Form, Field> {
  const [state, setState] = useState<{
    values: Form;
    base: Form;
    version: number;
    conflict: readonly Difference<Field>[] | null;
  }>({ values: initial, base: initial, version: initialVersion, conflict: null });

  return {
    values: state.values,
    version: state.version,
    conflict: state.conflict,
    change: (part) => setState((now) => ({ ...now, values: { ...now.values, ...part } })),
    rebase: (newer, version) =>
      setState((now) => ({
        ...now,
        base: newer,
        version,
        conflict: differences(fields, now.base, now.values, newer),
      })),
    takeOver: (taken) =>
      setState((now) => {
        const values = { ...now.values };
        for (const field of taken) values[field] = now.base[field];
        const conflict = now.conflict?.filter(({ field }) => !taken.includes(field)) ?? null;
        return { ...now, values, conflict };
      }),
  };
}

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
