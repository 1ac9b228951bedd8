import { type AgencyExchange, DEMONSTRATED_BODY_MAX } from '@casewatch/contracts/agency-demonstration';
import type { AgencyHttpRequest, AgencyHttpResult, AnswerHeaders } from './agency-http.ts';
import { MASK, maskSecrets } from './call-record.ts';
import { parseJson } from './read-reply.ts';

/** Request headers whose values are shown. Those of AGENCY_HEADERS are secret as a whole, whatever they hold. */
const SHOWN_REQUEST_HEADERS = ['accept', 'content-type', 'demo_id'];
const SHOWN_ANSWER_HEADERS = [
  ...['content-type', 'content-length', 'date', 'retry-after', 'www-authenticate'],
  ...['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
];
const HEADER_MAX = 200;
export const TOKEN_ROUTE = '/oauth/accesstoken';
/** Fields of a token's answer whose values are shown; any other may lead to the token. */
const SHOWN_TOKEN_FIELDS = ['token_type', 'expires_in', 'issued_at', 'status'];

interface Exchanged {
  readonly baseUrl: string;
  readonly request: AgencyHttpRequest;
  readonly reply: AgencyHttpResult;
  readonly headers: AnswerHeaders;
  readonly sentMs: number;
  readonly endedMs: number;
}

/** Returns an exchange as an administrator's screen shows it: without `secrets`, and bounded. */
export function toExchange(exchanged: Exchanged, secrets: readonly string[]): AgencyExchange {
  const { request, reply, headers, sentMs, endedMs } = exchanged;
  const { method, body } = request;
  return {
    sentAt: new Date(sentMs).toISOString(),
    durationMs: Math.max(0, Math.round(endedMs - sentMs)),
    request: {
      method,
      url: addressOf(exchanged),
      headers: Object.fromEntries(
        Object.entries({ accept: 'application/json', ...request.headers }).map(([name, value]) => [
          name,
          SHOWN_REQUEST_HEADERS.includes(name.toLowerCase()) ? value : redactHeader(name, value),
        ]),
      ),
      ...(body === undefined ? {} : { body: redactForm(body) }),
    },
    ...(reply.kind === 'answer'
      ? {
          answer: {
            status: reply.status,
            headers: shownHeaders(headers, secrets),
            ...cut(bodyOf(request, reply, secrets)),
          },
        }
      : { problem: `${reply.kind}: ${reply.detail}` }),
  };
}

/** Without a user name and password that the base address may have. */
function addressOf({ baseUrl, request }: Exchanged): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/+$/, '') + request.path;
}

function redactHeader(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' && value.startsWith('Bearer ') ? `Bearer ${MASK}` : MASK;
}

/** Of a form only the kind of grant is no secret. */
function redactForm(body: string): string {
  return [...new URLSearchParams(body)]
    .map(([name, value]) => `${name}=${name === 'grant_type' ? value : MASK}`)
    .join('&');
}

function shownHeaders(headers: AnswerHeaders, secrets: readonly string[]): Record<string, string> {
  const shown = SHOWN_ANSWER_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined
      ? []
      : [[name, clean(maskSecrets(String(value), secrets)).slice(0, HEADER_MAX)]];
  });
  return Object.fromEntries(shown);
}

function bodyOf(
  { route }: AgencyHttpRequest,
  { status, body }: Extract<AgencyHttpResult, { kind: 'answer' }>,
  secrets: readonly string[],
): string {
  return maskSecrets(route === TOKEN_ROUTE && status === 200 ? tokenFields(body) : body, secrets);
}

/** What can't be read as a token may hold one all the same. */
function tokenFields(body: string): string {
  const json = parseJson(body);
  if (!('value' in json) || typeof json.value !== 'object' || json.value === null) {
    return `${MASK}: ${body.length} characters that are no JSON object`;
  }
  const fields = Object.entries(json.value).map(([name, value]) => [
    name,
    SHOWN_TOKEN_FIELDS.includes(name) ? value : MASK,
  ]);
  return JSON.stringify(Object.fromEntries(fields), null, 2);
}

function cut(body: string): { body: string; isCut: boolean } {
  const text = clean(body);
  const isCut = text.length > DEMONSTRATED_BODY_MAX;
  return { body: isCut ? text.slice(0, DEMONSTRATED_BODY_MAX).toWellFormed() : text, isCut };
}

/** PostgreSQL's texts hold no NUL, and no half of a character. */
const clean = (text: string) => text.replaceAll('\u0000', '').toWellFormed();
