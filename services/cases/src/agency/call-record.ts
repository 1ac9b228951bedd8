import { randomUUID } from 'node:crypto';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { AgencyHttpResult } from './agency-http.ts';

/** One call of the agency's status endpoint as the log shows it; holds no secret. */
export interface AgencyCallRecord {
  readonly callId: string;
  readonly endpoint: string;
  readonly receiptNumber: string;
  /** Absent when no answer came. */
  readonly statusCode: number | undefined;
  /** A status was read from the answer. */
  readonly success: boolean;
  /** The answer as text, cut; or why there is none. */
  readonly responsePayload: string;
  readonly calledAtMs: number;
  readonly durationMs: number;
}

export interface CallLog {
  readonly calls: readonly AgencyCallRecord[];
  /** Notes a call that was sent at `calledAtMs` and has ended now. */
  add(calledAtMs: number, reply: AgencyHttpResult, success: boolean): void;
}

const LONGEST_PAYLOAD = 4_000;

export function createCallLog(clock: Clock, receiptNumber: string): CallLog {
  const calls: AgencyCallRecord[] = [];
  return {
    calls,
    add(calledAtMs, reply, success) {
      calls.push({
        callId: randomUUID(),
        endpoint: `GET /case-status/${receiptNumber}`,
        receiptNumber,
        statusCode: reply.kind === 'answer' ? reply.status : undefined,
        success,
        responsePayload: reply.kind === 'answer' ? cut(reply.body) : `${reply.kind}: ${reply.detail}`,
        calledAtMs,
        durationMs: Math.max(0, Math.round(clock.nowMs() - calledAtMs)),
      });
    },
  };
}

/** Without the character that PostgreSQL's texts can't hold. */
function cut(body: string): string {
  const text = body.replaceAll('\u0000', '');
  return text.length > LONGEST_PAYLOAD ? `${text.slice(0, LONGEST_PAYLOAD)}…` : text;
}
