import { randomUUID } from 'node:crypto';
import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { agencyCalled } from '@casewatch/contracts/events';

export const RECEIPT = 'EAC9999103403';

/** A call that took no time, so that it is in the log under the time that is given. */
export function callOfUser(atMs: number): PayloadOf<typeof agencyCalled> {
  return {
    callId: randomUUID(),
    endpoint: `GET /case-status/${RECEIPT}`,
    receiptNumbers: [RECEIPT],
    source: 'monitor',
    statusCode: 200,
    success: true,
    requestPayload: `{"receiptNumber":"${RECEIPT}"}`,
    responsePayload: '{"case_status":{}}',
    durationMs: 0,
    calledAt: new Date(atMs).toISOString(),
    earlierCalls: [],
  };
}
