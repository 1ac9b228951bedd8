/** PostgreSQL's texts hold neither NUL nor half a surrogate pair; what comes from outside may hold either. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** JSON that a jsonb column takes: every text in it made storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
