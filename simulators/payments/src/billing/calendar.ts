export const DAY_SECONDS = 86_400;

/** The instant `count` months or years after the anchor, on its day, or on the last day of a shorter month (UTC). */
function after(anchorSeconds: number, interval: string, count: number): number {
  if (interval === 'day') return anchorSeconds + count * DAY_SECONDS;
  if (interval === 'week') return anchorSeconds + count * 7 * DAY_SECONDS;
  const anchor = new Date(anchorSeconds * 1000);
  const months = anchor.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const moved = new Date(anchor);
  moved.setUTCFullYear(anchor.getUTCFullYear(), months, Math.min(anchor.getUTCDate(), lastDay));
  return moved.getTime() / 1000;
}

/**
 * When the period that begins at `startSeconds` ends: the first repetition of the anchor after it. Counted from the
 * anchor, so that a subscription of January 31 renews on February 28 and then on March 31.
 */
export function periodEnd(
  anchorSeconds: number,
  startSeconds: number,
  { interval, interval_count }: { interval: string; interval_count: number },
): number {
  let end = anchorSeconds;
  for (let count = 1; end <= startSeconds; count += 1) {
    end = after(anchorSeconds, interval, count * interval_count);
  }
  return end;
}
