const FIRST_MS = 30_000;
const LONGEST_MS = 3_600_000;
/** The e-mail may have nothing to do with it: soon after the server is back it should go. */
const LONGEST_WHILE_AWAY_MS = 300_000;

/**
 * Half a minute after the first attempt, then twice as long each time, at most an hour, or five minutes while the
 * server is `away`; a quarter more or less.
 */
export function retryDelayMs(attempts: number, kind: 'put-off' | 'away', random: () => number): number {
  const longest = kind === 'away' ? LONGEST_WHILE_AWAY_MS : LONGEST_MS;
  const plain = Math.min(longest, FIRST_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 20));
  return Math.round(plain * (0.75 + 0.5 * random()));
}
