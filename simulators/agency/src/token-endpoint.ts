import { TOKEN_LIFETIME_MS } from './access-tokens.ts';
import { type AgencyReply, errorReply, jsonReply } from './agency-reply.ts';
import type { AgencyState } from './agency-state.ts';
import { faultyTokenReply } from './fault-reply.ts';

/**
 * `POST /oauth/accesstoken` (OAuth 2.0 client credentials, form-encoded).
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
  if (form.get('client_id') !== state.clientId || form.get('client_secret') !== state.clientSecret) {
    return errorReply(401, 'Invalid Client Credentials', 'flat');
  }
  const now = state.clock.nowMs();
  return jsonReply(200, {
    refresh_token_expires_in: '0',
    api_product_list: '[Case Status API]',
    organization_name: 'simulated-agency',
    token_type: 'BearerToken',
    issued_at: String(now),
    client_id: state.clientId,
    access_token: state.tokens.issue(now),
    application_name: 'agency-simulator',
    scope: '',
    // A text, one second short of what the token really lives: as the agency does it.
    expires_in: String(TOKEN_LIFETIME_MS / 1000 - 1),
    refresh_count: '0',
    status: 'approved',
  });
}
