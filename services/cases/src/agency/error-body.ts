import { z } from 'zod';
import { htmlToText } from './html-to-text.ts';

const LONGEST_MESSAGE = 300;
const text = z.string().trim().min(1);

/** The three shapes in which the agency writes errors (flat with or without a code, nested, a list). */
const agencyError = z.union([
  z
    .object({ errors: z.array(z.object({ message: text })).min(1) })
    .transform(({ errors }) => errors[0]?.message),
  z.object({ error: z.object({ message: text }) }).transform(({ error }) => error.message),
  z.object({ message: text }).transform(({ message }) => message),
]);

/** The agency's own words in an error body, as one plain line; undefined when the body is in no shape we know. */
export function readErrorMessage(body: string): string | undefined {
  const json = parseJson(body);
  const parsed = agencyError.safeParse(json);
  if (!parsed.success || parsed.data === undefined) return undefined;
  const plain = htmlToText(parsed.data).text.replace(/\s+/g, ' ');
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE - 1)}…` : plain;
}

/** Undefined when the text is not JSON; JSON itself has no undefined. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
