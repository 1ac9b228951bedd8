import { type AgencyReply, agencyErrors, jsonReply, textReply } from './agency-reply.ts';
import type { AgencyState } from './agency-state.ts';
import { faultyStatusReply } from './fault-reply.ts';
import { brokenText, statusDocument } from './status-document.ts';

/** Longer texts are counted by their beginning, so that nonsense does not fill the memory. */
const LONGEST_COUNTED = 32;
/** 3 letters and 10 digits, or the agency's other way with an asterisk in place of the first digit. */
const ASKABLE = /^[A-Z]{3}(?:[0-9]{10}|\*[0-9]{9})$/;

/**
 * `GET /case-status/{receiptNumber}`. Every call is counted as it arrives; a scripted fault comes before anything
 * else and uses up no limit.
 * @param sleep waits in real time; used by the fault `slow`
 */
export async function answerStatus(
  state: AgencyState,
  receiptNumber: string,
  authorization: string | undefined,
  sleep: (ms: number) => Promise<void>,
): Promise<AgencyReply> {
  state.calls.record(receiptNumber.slice(0, LONGEST_COUNTED), state.clock.nowMs());
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
      return agencyErrors.unavailable();
    case 'spike-arrest':
      return agencyErrors.spikeArrest();
    case 'quota-spent':
      return agencyErrors.quotaSpent();
  }
  if (!ASKABLE.test(receiptNumber)) return agencyErrors.refused();
  const found = state.cases.find(receiptNumber);
  if (!found) return agencyErrors.notRecognised();
  const document = statusDocument(found.record);
  if (found.broken) return textReply(200, brokenText(document));
  state.cases.answered(receiptNumber, now);
  return jsonReply(200, document);
}
