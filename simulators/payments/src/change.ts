import type { PaymentsState } from './payments-state.ts';

/** Writes the values into the document; what they replaced, without those that stayed the same. */
export function change<T extends object>(document: T, values: Partial<T>): Record<string, unknown> {
  const previous: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const before: unknown = Reflect.get(document, name);
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    previous[name] = before ?? null;
    Reflect.set(document, name, value);
  }
  return previous;
}

/** As `change`, and tells of it with an `….updated` event if anything changed. */
export function changeAndTell<T extends object>(
  state: PaymentsState,
  type: string,
  document: T,
  values: Partial<T>,
): void {
  const previous = change(document, values);
  if (Object.keys(previous).length > 0) state.events.emit(type, document, previous);
}
