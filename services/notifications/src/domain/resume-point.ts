/** Up to this many missed notifications are sent again; beyond that the client fetches the list. */
export const RESUME_MAX = 100;

export interface ResumePoint {
  /** What is newer than this is still to be sent. */
  seq: number;
  /** The client must fetch the list: what it missed is not sent. */
  reset: boolean;
}

/**
 * Returns where a stream continues for a client whose last event had the id `lastEventId`, when `lastSeq` is the newest. An
 * id from the future is one of another database (a restored backup) or no id at all.
 */
export function resumePoint(lastSeq: number, lastEventId: string | undefined): ResumePoint {
  if (!lastEventId) return { seq: lastSeq, reset: false };
  const seq = /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  const within = seq <= lastSeq && lastSeq - seq <= RESUME_MAX;
  return within ? { seq, reset: false } : { seq: lastSeq, reset: true };
}
