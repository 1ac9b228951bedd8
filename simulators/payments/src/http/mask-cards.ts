const SECRET = new Set(['number', 'cvc']);

/** A copy without card numbers and security codes, for what is kept and shown of requests. */
export function maskCards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskCards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET.has(name) ? '…' : maskCards(inner)]),
  );
}
