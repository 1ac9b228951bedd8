/** What came of a lookup. All but the first three leave the caller without a current status. */
export const LOOKUP_OUTCOMES = [
  'answered',
  'stored',
  'shared',
  'not-recognized',
  'refused',
  'quota',
  'circuit-open',
  'fault',
  'canceled',
  'error',
] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

/** What made the product look a case up. */
export const LOOKUP_ORIGINS = ['single', 'bulk', 'check-now', 'scheduled', 'demonstration'] as const;
export type LookupOrigin = (typeof LOOKUP_ORIGINS)[number];

/** Where to look for the cause of a lookup without a current status. */
export const LOOKUP_CAUSES = ['user', 'agency', 'us'] as const;
export type LookupCause = (typeof LOOKUP_CAUSES)[number];

/** Why a lookup has no current status, in words for support. */
export const LOOKUP_REASONS = {
  'not-recognized': 'The agency does not recognize this receipt number.',
  refused: 'The agency does not accept this receipt number.',
  'rate-limited': 'We sent the agency too many calls in a short time.',
  'quota-spent': 'The agency accepts no more calls from us today.',
  'budget-spent': 'Today’s calls to the agency, or this user’s share of them, are used up.',
  'budget-busy': 'Too many lookups were queued for the agency.',
  'no-caller': 'No process of Casewatch was calling the agency, so no call was made.',
  resting:
    'The agency failed several times in a row, so calls to it are suspended for a moment (circuit open).',
  timeout: 'The agency did not answer in time.',
  unreachable: 'The agency could not be reached, or the connection broke.',
  unavailable: 'The agency reports that it is closed or down.',
  maintenance: 'The agency answered with a web page instead of data, as during maintenance.',
  unexpected: 'The agency answered with an error.',
  unreadable: 'The agency’s answer could not be read as a case status.',
  credentials: 'The agency does not accept our credentials.',
  disconnected: 'The browser disconnected before there was an answer.',
  'dependency-down': 'A part of Casewatch that the lookup needs was unavailable.',
  internal: 'Something in Casewatch went wrong.',
} as const;
export type LookupCode = keyof typeof LOOKUP_REASONS;

const CAUSES: Partial<Record<LookupOutcome, LookupCause>> = {
  'not-recognized': 'user',
  refused: 'user',
  'circuit-open': 'agency',
  fault: 'agency',
  quota: 'us',
  error: 'us',
};

/** Returns null for a lookup with a current status, and for one that its caller canceled. */
export function causeOf(outcome: LookupOutcome): LookupCause | null {
  return CAUSES[outcome] ?? null;
}

export function isSuccess(outcome: LookupOutcome): boolean {
  return outcome === 'answered' || outcome === 'stored' || outcome === 'shared';
}

export function isLookupOutcome(text: string): text is LookupOutcome {
  return (LOOKUP_OUTCOMES as readonly string[]).includes(text);
}

export function isLookupCode(text: string): text is LookupCode {
  return Object.keys(LOOKUP_REASONS).includes(text);
}
