import { AGENCY_MESSAGE_MAX } from '@casewatch/contracts/limits';
import { type FreshToken, readTokenAnswer } from '@casewatch/service-kit/http/access-token';
import { z } from 'zod';
import type { AgencyResult } from '../domain/agency.ts';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { htmlToText } from './html-to-text.ts';
import { readStatusAnswer } from './status-answer.ts';

/** Returns what the status endpoint's reply means. Whatever is not an agreed answer about this very case is a failure. */
export function readStatusReply(
  reply: AgencyHttpResult,
  receiptNumber: string,
  linkHosts: readonly string[],
): AgencyResult {
  if (reply.kind === 'answer' && reply.status === 200) {
    const json = readJson(reply);
    const answered = 'problem' in json ? json : readStatusAnswer(json.value, receiptNumber, linkHosts);
    if (!('problem' in answered)) return { kind: 'case', case: answered };
    // A page instead of JSON: what JSON says is no maintenance, however it is labeled.
    const kind = 'problem' in json && reply.isHtml ? 'maintenance' : 'unreadable';
    return { kind: 'failure', failure: { kind, detail: answered.problem } };
  }
  // An error page of something on the way may also be a 404: only the agency's own words count.
  const agencyMessage =
    reply.kind === 'answer' && reply.status === 404 ? readErrorMessage(reply.body) : undefined;
  if (agencyMessage !== undefined) return { kind: 'not-recognized', agencyMessage };
  return { kind: 'failure', failure: failureOf(reply) };
}

/** Returns what the token endpoint's reply means. Any 4xx but 429 is about our credentials, never about a receipt number. */
export function readTokenReply(reply: AgencyHttpResult): FreshToken | { failure: AgencyFailure } {
  if (reply.kind === 'answer' && reply.status === 200) {
    const json = readJson(reply);
    const token = 'value' in json ? readTokenAnswer(json.value) : undefined;
    if (token) return token;
  }
  const failure = failureOf(reply);
  const isAboutUs =
    reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429;
  return { failure: isAboutUs ? { ...failure, kind: 'credentials' } : failure };
}

/** JSON is UTF-8 (RFC 8259): replacement characters must not turn broken bytes into a status. */
function readJson(reply: { body: string; isUtf8: boolean }): ReturnType<typeof parseJson> {
  return reply.isUtf8 ? parseJson(reply.body) : { problem: 'not UTF-8' };
}

function failureOf(reply: AgencyHttpResult): AgencyFailure {
  if (reply.kind !== 'answer') return reply;
  const agencyMessage = reply.status === 200 ? undefined : readErrorMessage(reply.body);
  const details = { agencyMessage, detail: `HTTP ${reply.status}` };
  switch (reply.status) {
    case 200:
      return { kind: reply.isHtml ? 'maintenance' : 'unreadable', ...details };
    case 404:
      return { kind: 'unreadable', ...details };
    case 401:
    case 403:
      return { kind: 'credentials', ...details };
    case 422:
      return { kind: agencyMessage === undefined ? 'unreadable' : 'refused', ...details };
    case 429:
      return { kind: /quota/i.test(agencyMessage ?? '') ? 'quota-spent' : 'rate-limited', ...details };
    case 503:
      return { kind: 'unavailable', ...details };
    default:
      return { kind: 'unexpected', ...details };
  }
}

const message = z.string().trim().min(1).max(2_000);

/** The shapes in which the agency writes errors: a list, nested, flat with or without a code. */
const errorBody = z.union([
  z
    .object({ errors: z.tuple([z.object({ message })]).rest(z.unknown()) })
    .transform(({ errors }) => errors[0]),
  z.object({ error: z.object({ message }) }).transform(({ error }) => error),
  z.object({ message }),
]);

/** Returns the agency's own words in an error body as one plain line; undefined when the body is in no known shape. */
export function readErrorMessage(body: string): string | undefined {
  const json = parseJson(body);
  const parsed = errorBody.safeParse('value' in json ? json.value : undefined);
  if (!parsed.success) return undefined;
  const { text } = htmlToText(parsed.data.message, [], 1);
  return cutAtWord(text) || undefined;
}

/** Cuts a long text at the last space, or where it has none within reach at any character. */
function cutAtWord(text: string): string {
  if (text.length <= AGENCY_MESSAGE_MAX) return text;
  const kept = text.slice(0, AGENCY_MESSAGE_MAX - 1);
  const space = text[kept.length] === ' ' ? kept.length : kept.lastIndexOf(' ');
  return `${kept.slice(0, space > AGENCY_MESSAGE_MAX / 2 ? space : kept.length).toWellFormed()}…`;
}

/** The agency's answers have four levels. */
const MAX_LEVELS = 20;

/** Parses JSON that is nested at most 20 levels deep: deeper text costs a scan, not a parse. Never throws. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  if (isTooDeep(text)) return { problem: `JSON nested more than ${MAX_LEVELS} levels deep` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'not JSON' };
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length && depth <= MAX_LEVELS; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return depth > MAX_LEVELS;
}
