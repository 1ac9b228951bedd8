/** How long one attempt takes at most. A mail server that trickles its replies is never silent. */
export const MAIL_SEND_MAX_MS = 45_000;
/** After identity was asked about the session of a device: what comes later counts as no answer, and nothing is posted. */
export const SESSION_CHECK_MAX_MS = 3_000;
export const PUSH_POST_MAX_MS = 7_000;
export const PUSH_SEND_MAX_MS = SESSION_CHECK_MAX_MS + PUSH_POST_MAX_MS;

/** From the answer of the server to what the delivery log says of it. */
const SETTLE_MS = 5_000;
/** To write a message with what other services know. */
const PREPARE_MS = 20_000;

/** Returns the shortest lease in which a message can be prepared, sent and settled: another process sends it when the lease ends. */
export function leaseMinSeconds(sendMaxMs: number): number {
  return Math.ceil((PREPARE_MS + sendMaxMs + SETTLE_MS) / 1_000);
}

/** Returns until when an attempt may begin that is settled before the lease ends. */
export function lastStartMs(leaseUntilMs: number, sendMaxMs: number): number {
  return leaseUntilMs - sendMaxMs - SETTLE_MS;
}

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
