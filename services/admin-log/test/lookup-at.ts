import { randomUUID } from 'node:crypto';
import type { LookupOutcome } from '@casewatch/contracts/lookup-outcomes';
import type { PublishedLookup } from '../src/domain/call.ts';

export const RECEIPT = 'EAC9999103403';

/** What differs from a check that was answered. `statusCode` and `response` are those of its only call, unless `calls` are given. */
export type LookupFacts = Partial<PublishedLookup> & {
  readonly statusCode?: number | undefined;
  readonly response?: string;
};

/** A lookup that took no time. Its outcome follows from the status unless it is given. */
export function lookupAt(atMs: number, { response = '{"case_status":{}}', ...facts }: LookupFacts = {}) {
  const { statusCode, ...given } = { statusCode: 200, ...facts };
  const lookup: PublishedLookup = {
    id: randomUUID(),
    receiptNumber: RECEIPT,
    source: 'monitor',
    origin: 'scheduled',
    endedAt: new Date(atMs).toISOString(),
    durationMs: 0,
    queueMs: 0,
    agencyMs: 0,
    outcome: outcomeOf(statusCode),
    servedStale: false,
    calls: [{ ...(statusCode === undefined ? {} : { statusCode }), durationMs: 0, response }],
  };
  return { ...lookup, ...given };
}

function outcomeOf(statusCode: number | undefined): LookupOutcome {
  if (statusCode === 200) return 'answered';
  if (statusCode === 404) return 'not-recognized';
  return statusCode === 429 ? 'quota' : 'fault';
}
