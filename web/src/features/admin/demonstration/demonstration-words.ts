import type { AgencyDemonstration, DemonstratedCase } from '@casewatch/contracts/agency-demonstration';
import { DEMONSTRATED_STATUS } from '@casewatch/contracts/agency-demonstration';
import type { DueChecks } from '@casewatch/contracts/monitoring';
import { grouped } from '../shared/admin-words.tsx';

export const CASE_WORDS: Readonly<Record<DemonstratedCase, string>> = {
  valid: 'Valid',
  'not-recognized': 'Not recognized',
  malformed: 'Malformed',
  unauthorized: 'Unauthorized',
  throttled: 'Throttled',
  unavailable: 'Unavailable',
};

/** What is done on purpose, and what is not. */
export const CASE_HINTS: Readonly<Record<DemonstratedCase, string>> = {
  valid: 'A lookup as users make it, with a token of its own.',
  'not-recognized': 'Sends a number that no one has been given.',
  malformed:
    'Sends a malformed number to the agency on purpose. Users never get that far: their form and the server refuse it before any call.',
  unauthorized:
    'Sends a deliberately invalid token, once. In a lookup Casewatch would request a new token and try once more.',
  throttled:
    'Casewatch keeps below the limit, so the agency would have to be called too often to answer 429. Only a simulator is called, which can be told to answer so.',
  unavailable: 'The agency answers 503 outside of its opening hours; a simulator can be told to.',
};

const AGENCY_WORDS: Readonly<Record<AgencyDemonstration['agency']['kind'], string>> = {
  production: 'the agency’s production',
  sandbox: 'the agency’s sandbox',
  simulator: 'a simulator, not the agency',
};

/** Says what was called, or would have been. */
export function agencyWords({ agency: { baseUrl, kind }, token, status }: AgencyDemonstration): string {
  return `${token || status ? 'Called' : 'Not called'}: ${baseUrl} (${AGENCY_WORDS[kind]})`;
}

/** Says whether the case was shown, and what came instead. */
export function verdictOf({ case: wanted, outcome, token, status }: AgencyDemonstration): string {
  const expected = DEMONSTRATED_STATUS[wanted];
  if (outcome === 'shown') return `Shown: the agency answered ${expected}.`;
  if (outcome === 'not-provoked')
    return 'Not shown: a 429 of the agency cannot be provoked without breaking its limit.';
  if (!status && token?.answer && token.answer.status !== 200)
    return `Not shown: the agency gave no token, it answered ${token.answer.status}.`;
  if (!status) return 'Not shown: no status was requested.';
  if (!status.answer) return `Not shown: there was no answer, ${status.problem}.`;
  if (status.answer.status === expected)
    return `Not shown: the answer ${expected} could not be read as a status.`;
  return `Not shown: the agency answered ${status.answer.status}, not ${expected}.`;
}

const CHECK_WORDS: Readonly<Record<keyof DueChecks['outcomes'], string>> = {
  observed: 'with a status',
  'not-recognized': 'not recognized',
  refused: 'refused by the agency',
  failed: 'failed, to be tried again',
  'no-budget': 'without a call left, still due',
  unasked: 'not asked, still due',
};

/** Says what a batch has started and what came back. */
export function batchWords({ started, outcomes }: DueChecks): string {
  if (started === 0) return 'No check was due. Nothing was called.';
  const parts = Object.entries(CHECK_WORDS).flatMap(([outcome, words]) => {
    const checks = outcomes[outcome as keyof DueChecks['outcomes']] ?? 0;
    return checks === 0 ? [] : [`${grouped(checks)} ${words}`];
  });
  return `${grouped(started)} ${started === 1 ? 'check' : 'checks'} started. Came back: ${parts.join(', ')}.`;
}
