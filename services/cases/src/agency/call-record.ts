import type { LookupCode } from '@casewatch/contracts/lookup-outcomes';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AgencyCallRecord, AgencyResult } from '../domain/agency.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { maskSecrets } from './mask-secrets.ts';

export interface CallLog {
  readonly calls: readonly AgencyCallRecord[];
  /** Notes a call that was sent at `calledAtMs` and has ended now. `secrets` are masked in what came back. */
  add(calledAtMs: number, reply: AgencyHttpResult, result: AgencyResult, secrets: readonly string[]): void;
}

const LONGEST_PAYLOAD = 4_000;

export function createCallLog(clock: Clock): CallLog {
  const calls: AgencyCallRecord[] = [];
  return {
    calls,
    add(calledAtMs, reply, result, secrets) {
      const sameAs = result.kind === 'case' ? result.case.sameAs : undefined;
      calls.push({
        statusCode: reply.kind === 'answer' ? reply.status : undefined,
        code: codeOf(result),
        responsePayload: sameAs ? '' : payloadOf(reply, result, secrets),
        sameAs,
        durationMs: Math.max(0, Math.round(clock.nowMs() - calledAtMs)),
      });
    },
  };
}

function payloadOf(reply: AgencyHttpResult, result: AgencyResult, secrets: readonly string[]): string {
  if (reply.kind !== 'answer') return cut(`${reply.kind}: ${reply.detail}`);
  return cut(whyUnused(reply.status, result) + maskSecrets(reply.body, secrets));
}

function codeOf(result: AgencyResult): LookupCode | undefined {
  if (result.kind === 'case') return undefined;
  return result.kind === 'failure' ? result.failure.kind : 'not-recognized';
}

/** A 200 without a case needs a recorded reason; other statuses explain themselves. */
function whyUnused(status: number, result: AgencyResult): string {
  return status === 200 && result.kind === 'failure'
    ? `${result.failure.kind}: ${result.failure.detail}\n`
    : '';
}

/** Without what PostgreSQL's texts can't hold: NUL, and half a character where the text is cut. */
function cut(body: string): string {
  const text = body.replaceAll('\u0000', '');
  return (text.length > LONGEST_PAYLOAD ? `${text.slice(0, LONGEST_PAYLOAD)}…` : text).toWellFormed();
}
