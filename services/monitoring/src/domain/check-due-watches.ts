import { type CheckOutcome, type CheckResult, checkCases } from '@casewatch/contracts/check-cases';
import type { LateCode } from '@casewatch/contracts/monitoring';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { ROOT, type Tracing } from '@casewatch/service-kit/telemetry/tracing';
import { lateCodeOf } from './lateness.ts';
import type { Claim, ClaimStore } from './store.ts';

export interface Checking {
  readonly store: ClaimStore;
  readonly services: ServiceClient;
  readonly leaseMs: number;
  readonly tracing: Tracing;
  /** Receives the results of checks; `unasked`: cases was unavailable. */
  readonly count: (outcome: CheckOutcome | 'unasked', checks: number) => void;
}

export interface PassReport {
  readonly claimed: number;
  /** Checks that were not made, or whose failure concerns all: the agency accepts none for the moment. */
  readonly heldBack: number;
  /** How long nothing gets through, as far as cases knows. */
  readonly retryAfterMs: number | undefined;
  /** Set when cases was unavailable. */
  readonly error?: unknown;
}

/**
 * Runs one pass: claims due watches, has cases check them and settles each by its result. What is not settled when
 * the process dies is due again when its lease ends.
 * When `abandon` aborts, the watches are released without waiting for the results.
 */
export async function checkDueWatches(
  { store, services, leaseMs, tracing, count }: Checking,
  limit: number,
  abandon: AbortSignal,
): Promise<PassReport> {
  const claim = await store.claim({ leaseMs, limit });
  const { receiptNumbers } = claim;
  if (receiptNumbers.length === 0) return { claimed: 0, heldBack: 0, retryAfterMs: undefined };
  try {
    // A scheduled check has no request: its trace begins here.
    const call = tracing.inSpan({ name: 'check due watches', kind: 'internal', parent: ROOT }, () =>
      services.call(checkCases, { body: { receiptNumbers: [...receiptNumbers] }, signal: abandon }),
    );
    const { results } = await unlessAborted(call, abandon);
    for (const [outcome, same] of Map.groupBy(results, (result) => result.outcome))
      count(outcome, same.length);
    return await settle(store, claim, results);
  } catch (error) {
    count('unasked', receiptNumbers.length);
    await store.release(claim, receiptNumbers, abandon.aborted ? null : 'UNAVAILABLE');
    return {
      claimed: receiptNumbers.length,
      heldBack: receiptNumbers.length,
      retryAfterMs: undefined,
      error,
    };
  }
}

async function settle(store: ClaimStore, claim: Claim, results: readonly CheckResult[]): Promise<PassReport> {
  const byReceipt = new Map(results.map((result) => [result.receiptNumber, result]));
  const observed: string[] = [];
  const denied = new Map<LateCode, string[]>();
  const failed = new Map<LateCode, string[]>();
  const released = new Map<LateCode, string[]>();
  let heldBack = 0;
  let retryAfterSeconds: number | undefined;
  for (const receiptNumber of claim.receiptNumbers) {
    const result = byReceipt.get(receiptNumber);
    const denial = result && DENIALS[result.outcome];
    if (result?.outcome === 'observed') {
      observed.push(receiptNumber);
    } else if (denial) {
      addTo(denied, denial, receiptNumber);
    } else if (result?.outcome === 'failed' && result.retryAfterSeconds === undefined) {
      addTo(failed, lateCodeOf(result.code), receiptNumber);
    } else {
      addTo(released, heldBackBy(result), receiptNumber);
      heldBack++;
      retryAfterSeconds = Math.max(retryAfterSeconds ?? 0, result?.retryAfterSeconds ?? 0);
    }
  }
  if (observed.length > 0) await store.finish(claim, observed);
  for (const [failure, group] of denied) await store.deny(claim, group, failure);
  for (const [failure, group] of failed) await store.postpone(claim, group, failure);
  for (const [failure, group] of released) await store.release(claim, group, failure);
  return {
    claimed: claim.receiptNumbers.length,
    heldBack,
    retryAfterMs: retryAfterSeconds && retryAfterSeconds * 1_000,
  };
}

/** The outcomes with which the agency has answered without a status. */
const DENIALS: Partial<Record<CheckOutcome, LateCode>> = {
  'not-recognized': 'RECEIPT_NOT_RECOGNIZED',
  refused: 'AGENCY_REFUSED',
};

/** A receipt number without a result was not checked either. */
function heldBackBy(result: CheckResult | undefined): LateCode {
  if (!result) return 'UNAVAILABLE';
  return result.outcome === 'no-budget' ? 'BUDGET_SPENT' : lateCodeOf(result.code);
}

function addTo<Key>(groups: Map<Key, string[]>, key: Key, receiptNumber: string): void {
  const group = groups.get(key);
  if (group) group.push(receiptNumber);
  else groups.set(key, [receiptNumber]);
}

/** Stops waiting when the signal aborts; the called function may ignore it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
