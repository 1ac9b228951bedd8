import { type FreshToken, readTokenAnswer } from './access-token.ts';
import type { AgencyFailure } from './agency-failure.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { parseJson, readErrorMessage } from './error-body.ts';
import { type AgencyCase, readStatusAnswer } from './status-answer.ts';

/** What a look-up at the agency ended in. Only `case` says anything about the case's status. */
export type AgencyResult =
  | { kind: 'case'; case: AgencyCase }
  | { kind: 'not-recognised' }
  | { kind: 'failure'; failure: AgencyFailure };

/** What the status endpoint's reply means. Whatever is not an agreed answer about this very case is a failure. */
export function readStatusReply(reply: AgencyHttpResult, receiptNumber: string): AgencyResult {
  if (reply.kind === 'answer' && reply.status === 200) {
    const answered = readStatusAnswer(parseJson(reply.body), receiptNumber);
    if (answered) return { kind: 'case', case: answered };
  }
  // An error page of something on the way may also be a 404: only the agency's own words count.
  if (reply.kind === 'answer' && reply.status === 404 && readErrorMessage(reply.body) !== undefined) {
    return { kind: 'not-recognised' };
  }
  return { kind: 'failure', failure: failureOf(reply) };
}

/** What the token endpoint's reply means. Any 4xx but 429 is about our credentials, never about a receipt number. */
export function readTokenReply(reply: AgencyHttpResult): FreshToken | { failure: AgencyFailure } {
  if (reply.kind === 'answer' && reply.status === 200) {
    const token = readTokenAnswer(parseJson(reply.body));
    if (token) return token;
  }
  const failure = failureOf(reply);
  const isAboutUs =
    reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.status !== 429;
  return { failure: isAboutUs ? { ...failure, kind: 'credentials' } : failure };
}

function failureOf(reply: AgencyHttpResult): AgencyFailure {
  if (reply.kind !== 'answer') return { kind: reply.kind, detail: reply.detail };
  const agencyMessage = readErrorMessage(reply.body);
  const said = { agencyMessage, detail: `HTTP ${reply.status}` };
  switch (reply.status) {
    case 200:
      return { kind: reply.isHtml ? 'maintenance' : 'unreadable', ...said };
    case 404:
      return { kind: 'unreadable', ...said };
    case 401:
    case 403:
      return { kind: 'credentials', ...said };
    case 422:
      return { kind: agencyMessage === undefined ? 'unreadable' : 'refused', ...said };
    case 429:
      return { kind: /quota/i.test(agencyMessage ?? '') ? 'quota-spent' : 'rate-limited', ...said };
    case 503:
      return { kind: 'unavailable', ...said };
    default:
      return { kind: 'unexpected', ...said };
  }
}
