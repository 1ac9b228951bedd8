const FIRST_MS = 30_000;
const MAX_MS = 3_600_000;
/** The failure may not concern the e-mail: it should be sent soon after the server recovers. */
const MAX_WHILE_UNAVAILABLE_MS = 300_000;

/**
 * Returns half a minute after the first attempt, then twice as long each time, at most an hour, or five minutes while the
 * server is `unavailable`; a quarter more or less.
 */
export function retryDelayMs(
  attempts: number,
  kind: 'deferred' | 'unavailable',
  random: () => number,
): number {
  const longest = kind === 'deferred' ? MAX_MS : MAX_WHILE_UNAVAILABLE_MS;
  const plain = Math.min(longest, FIRST_MS * 2 ** (attempts - 1));
  return Math.round(plain * (0.75 + 0.5 * random()));
}
