/** Returns the id of a reference, expanded or not. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (!reference) return null;
  return typeof reference === 'string' ? reference : reference.id;
}

/** Returns the expanded object; null for a reference that is empty or was not expanded. */
export function whole<T extends object>(reference: string | T | null): T | null {
  return typeof reference === 'object' ? reference : null;
}
