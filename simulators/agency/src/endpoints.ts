import { TOKEN_LIFETIME_MS } from './access-tokens.ts';
import { type AgencyReply, agencyErrors, errorReply, jsonReply, textReply } from './agency-reply.ts';
import type { AgencyState } from './agency-state.ts';
import { faultyStatusReply, faultyTokenReply } from './fault-reply.ts';
import { brokenText, statusDocument } from './status-document.ts';

/**
 * Answers `POST /oauth/accesstoken` (OAuth 2.0 client credentials, form-encoded).
 * @param sleep waits in real time; used by the fault `slow`
 */
export async function answerToken(
  state: AgencyState,
  contentType: string | undefined,
  body: string,
  sleep: (ms: number) => Promise<void>,
): Promise<AgencyReply> {
  const fault = state.faults.take({ endpoint: 'token' });
  if (fault) {
    const reply = faultyTokenReply(fault);
    if (reply) return reply;
    await sleep(fault.delayMs);
  }

  if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    return errorReply(400, 'The token request must be form-encoded', 'flat');
  }
  const form = new URLSearchParams(body);
  if (form.get('grant_type') !== 'client_credentials')
    return errorReply(400, 'Unsupported Grant Type', 'flat');
  const client = state.clients.find(
    ({ clientId, clientSecret }) =>
      form.get('client_id') === clientId && form.get('client_secret') === clientSecret,
  );
  if (!client) return errorReply(401, 'Invalid Client Credentials', 'flat');
  const now = state.clock.nowMs();
  return jsonReply(200, {
    refresh_token_expires_in: '0',
    api_product_list: '[Case Status API]',
    organization_name: 'simulated-agency',
    token_type: 'BearerToken',
    issued_at: String(now),
    client_id: client.clientId,
    access_token: state.tokens.issue(now),
    application_name: 'agency-simulator',
    scope: '',
    // A text, one second short of what the token really lives: as the agency does it.
    expires_in: String(TOKEN_LIFETIME_MS / 1000 - 1),
    refresh_count: '0',
    status: 'approved',
  });
}

/** Longer texts are counted by their beginning, so that nonsense does not fill the memory. */
const MAX_COUNTED = 32;
/** 3 letters and 10 digits, or the agency's other way with an asterisk in place of the first digit. */
const ASKABLE = /^[A-Z]{3}(?:[0-9]{10}|\*[0-9]{9})$/;

/**
 * Answers `GET /case-status/{receiptNumber}`. Every call is counted as it arrives; a scripted fault comes before anything
 * else and uses up no limit.
 * @param sleep waits in real time; used by the fault `slow`
 */
export async function answerStatus(
  state: AgencyState,
  receiptNumber: string,
  authorization: string | undefined,
  sleep: (ms: number) => Promise<void>,
): Promise<AgencyReply> {
  state.calls.record(receiptNumber.slice(0, MAX_COUNTED), state.clock.nowMs());
  const fault = state.faults.take({ endpoint: 'status', receiptNumber });
  if (fault) {
    const reply = faultyStatusReply(fault, receiptNumber);
    if (reply) return reply;
    await sleep(fault.delayMs);
  }

  const now = state.clock.nowMs();
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined || !state.tokens.isValid(token, now)) return agencyErrors.unauthorized();
  switch (state.limits.admit(now)) {
    case 'closed':
      return agencyErrors.closed();
    case 'spike-arrest':
      return agencyErrors.spikeArrest();
    case 'quota-spent':
      return agencyErrors.quotaSpent();
  }
  if (!ASKABLE.test(receiptNumber)) return agencyErrors.refused();
  const found = state.cases.find(receiptNumber, state.population);
  if (!found) return agencyErrors.notRecognized();
  const document = statusDocument(found.record);
  if (found.broken) return textReply(200, brokenText(document));
  state.cases.answered(receiptNumber, now);
  return jsonReply(200, document);
}
