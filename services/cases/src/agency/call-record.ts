import type { LookupCode } from '@casewatch/contracts/lookup-outcomes';
import type { AgencyCallRecord, AgencyResult } from '../domain/agency.ts';
import type { AgencyHttpResult } from './agency-http.ts';
import { maskSecrets } from './mask-secrets.ts';

const MAX_RESPONSE_LENGTH = 4_000;

/** Returns what the request log says of a call; `secrets` are masked in what came back. */
export function toCallRecord(
  reply: AgencyHttpResult,
  result: AgencyResult,
  secrets: readonly string[],
  durationMs: number,
): AgencyCallRecord {
  return {
    statusCode: reply.kind === 'answer' ? reply.status : undefined,
    code: codeOf(result),
    response: responseOf(reply, result, secrets),
    durationMs,
  };
}

function responseOf(reply: AgencyHttpResult, result: AgencyResult, secrets: readonly string[]): string {
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
  return (text.length > MAX_RESPONSE_LENGTH ? `${text.slice(0, MAX_RESPONSE_LENGTH)}…` : text).toWellFormed();
}
