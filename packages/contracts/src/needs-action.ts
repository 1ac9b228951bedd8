/**
 * Statuses that ask something of the applicant, usually by a deadline. Without zod: the web app's first load uses
 * this too. A title that is not known yet follows the same words.
 */
const ASKS: readonly RegExp[] = [
  /\brequest for (?:\w+ )?evidence was (?:sent|mailed|issued)\b/,
  /\bintent to (?:deny|revoke|rescind|terminate|withdraw)\b.*\b(?:sent|mailed|issued)\b/,
  /\bintent to (?:deny|revoke|rescind|terminate|withdraw) notice was\b/,
  /\binterview was (?:re)?scheduled\b/,
  /\b(?:biometrics?|fingerprints?)\b.*\bwas (?:re)?scheduled\b/,
  /\bno one appeared\b/,
  // Returned mail: the agency needs an address before it holds or destroys what came back.
  /\b(?:could not (?:be )?deliver(?:ed)?|undeliverable)\b/,
  /\b(?:card|document|notice|mail|permit)\b.*\breturned to uscis\b/,
];

/** The title reports an answer that has arrived, or a canceled appointment. */
const ASKS_NO_MORE = /\b(?:response to|cancell?ed|withdrawn|was received)\b/;

/** Agency titles are stored up to this length; it bounds the work of the patterns. */
const TITLE_MAX = 1_000;

/** Returns whether a case with this status title waits for its applicant. No status: no. */
export function needsAction(statusTitle: string | null | undefined): boolean {
  const title = (statusTitle ?? '').slice(0, TITLE_MAX).trim().replace(/\s+/g, ' ').toLowerCase();
  return ASKS.some((pattern) => pattern.test(title)) && !ASKS_NO_MORE.test(title);
}
