import { z } from 'zod';
import { htmlToText } from './html-to-text.ts';
import { parseJson } from './parse-json.ts';

const LONGEST_MESSAGE = 300;
const LONGEST_RAW_MESSAGE = 2_000;
const text = z.string().trim().min(1).max(LONGEST_RAW_MESSAGE);

/** The three shapes in which the agency writes errors (flat with or without a code, nested, a list). */
const agencyError = z.union([
  z
    .object({ errors: z.tuple([z.object({ message: text })]).rest(z.unknown()) })
    .transform(({ errors }) => errors[0].message),
  z.object({ error: z.object({ message: text }) }).transform(({ error }) => error.message),
  z.object({ message: text }).transform(({ message }) => message),
]);

/** Returns the agency's own words in an error body as one plain line; undefined when the body is in no known shape. */
export function readErrorMessage(body: string): string | undefined {
  const json = parseJson(body);
  const parsed = agencyError.safeParse('value' in json ? json.value : undefined);
  if (!parsed.success) return undefined;
  const plain = htmlToText(parsed.data, []).text;
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE - 1)}…` : plain;
}
