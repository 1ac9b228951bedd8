import type { AgencyCallRecord, AgencyResult } from '../domain/agency.ts';
import type { AgencyHttpResult } from './agency-http.ts';

const MAX_RESPONSE_LENGTH = 4_000;
export const MASK = '[masked]';

/** Ways in which a page of something on the way may repeat what it was sent; the first group stays. */
const CREDENTIALS = [
  /\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /("(?:access_token|refresh_token|client_secret|authorization)"\s*:\s*")[^"]+/gi,
  /\b((?:access_token|refresh_token|client_secret)=)[^&\s"'<>]+/gi,
];

/** Returns what the request log says of a call; `secrets` are masked in what came back. */
export function toCallRecord(
  reply: AgencyHttpResult,
  result: AgencyResult,
  secrets: readonly string[],
  durationMs: number,
): AgencyCallRecord {
  const failure = result.kind === 'failure' ? result.failure : undefined;
  const words = result.kind === 'not-recognized' ? result.agencyMessage : failure?.agencyMessage;
  const code = result.kind === 'not-recognized' ? 'not-recognized' : failure?.kind;
  if (reply.kind !== 'answer') {
    return { statusCode: undefined, code, response: cut(`${reply.kind}: ${reply.detail}`), durationMs };
  }
  // A 200 without a case needs a recorded reason; other statuses explain themselves.
  const reason = reply.status === 200 && failure ? `${failure.kind}: ${failure.detail}\n` : '';
  const quoted = words ? `USCIS says: ${words}\n` : '';
  const response = cut(reason + maskSecrets(quoted + reply.body, secrets));
  return { statusCode: reply.status, code, response, durationMs };
}

/** Returns a text without our credentials: these very ones wherever they stand, and whatever looks like some. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, `$1${MASK}`), maskKnown(text, secrets));
}

/** Returns the texts of a case without these credentials. What only looks like some stays: “basic requirements” are words of the agency. */
export function maskCase<Case extends object>(found: Case, secrets: readonly string[]): Case {
  const text = JSON.stringify(found);
  if (maskKnown(text, secrets) === text) return found;
  return JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'string' ? maskKnown(value, secrets) : value,
  );
}

function maskKnown(text: string, secrets: readonly string[]): string {
  // The longest first: one may hold another.
  const known = secrets.flatMap(formsOf).sort((one, other) => other.length - one.length);
  return known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}

/** A secret as it is, in JSON (also with `\/`), in an address or a form, and in a text whose white space is collapsed. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const inText = secret.replace(/ +/g, ' ');
  return [secret, inJson, inJson.replaceAll('/', String.raw`\/`), inAddress, inForm, inText];
}

/** Without what PostgreSQL's texts can't hold: NUL, and half a character where the text is cut. */
function cut(body: string): string {
  const text = body.replaceAll('\u0000', '');
  return (text.length > MAX_RESPONSE_LENGTH ? `${text.slice(0, MAX_RESPONSE_LENGTH)}…` : text).toWellFormed();
}
