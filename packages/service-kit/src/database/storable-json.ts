/** PostgreSQL's texts hold neither NUL nor half a surrogate pair; what comes from outside may hold either. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** How JSON writes NUL and half a surrogate pair; also met after an escaped backslash, which costs a second pass and no more. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Returns JSON that a jsonb column takes: every text in it made storable. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
