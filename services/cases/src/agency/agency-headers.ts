import { z } from 'zod';

const MAX_CHARACTERS = 8_000;
/** A field name (RFC 9110, section 5.1). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[!-~]+(?: +[!-~]+)*$/;
/** Set by this client or by HTTP itself. `demo_id` has a setting of its own. */
const RESERVED = new Set(
  'accept accept-encoding authorization connection content-length content-type cookie demo_id expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/** Parses further headers of the agency's calls, a JSON object of texts. No problem that it reports holds a value. */
export const agencyHeaders = () =>
  z
    .string()
    .max(MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
    .transform((text, context): Record<string, string> => {
      const headers = z.record(z.string(), z.string()).safeParse(parse(text));
      const problem = headers.success
        ? problemOf(text, headers.data)
        : 'must be a JSON object of texts, such as {"X-Request-Source":"casewatch"}';
      if (!problem && headers.success) return headers.data;
      context.addIssue(problem ?? '');
      return z.NEVER;
    })
    .optional();

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(text: string, headers: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(headers);
  // What is no name may be a value in the wrong place.
  if (!names.every((name) => NAME.test(name))) return 'has a name that is no name of a header';
  const reserved = names.find((name) => RESERVED.has(name.toLowerCase()) || /^proxy-/i.test(name));
  if (reserved) return `must not set ${reserved}, which Casewatch sets itself`;
  // `JSON.parse` keeps only the last of equal names.
  const written = (text.match(JSON_STRING)?.length ?? 0) / 2;
  const distinct = new Set(names.map((name) => name.toLowerCase())).size;
  if (written !== distinct) return 'names a header twice';
  const wrong = names.find((name) => !VALUE.test(headers[name] ?? ''));
  return wrong && `the value of ${wrong} must be visible ASCII characters, with spaces only between them`;
}
