const PATTERNS = [
  { pattern: /^(\d{2})-(\d{2})-(\d{4}) (\d{2}):(\d{2}):(\d{2})$/, order: ['month', 'day', 'year'] },
  { pattern: /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/, order: ['year', 'month', 'day'] },
] as const;
/** No case is older, and `Date.UTC` takes the years 0 to 99 for those of the last century. */
const FIRST_YEAR = 1900;

/**
 * A date as the agency writes it (`MM-dd-yyyy HH:mm:ss`, `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss`, no time zone) as
 * milliseconds since the epoch, read as GMT: good for putting dates in order, not for showing them. Undefined for
 * anything else, impossible dates included.
 */
export function parseAgencyDate(text: string): number | undefined {
  for (const { pattern, order } of PATTERNS) {
    const found = pattern.exec(text.trim());
    if (!found) continue;
    const numbers = found.slice(1).map((part) => Number(part ?? 0));
    const part = (name: 'year' | 'month' | 'day') => numbers[(order as readonly string[]).indexOf(name)] ?? 0;
    const [hour = 0, minute = 0, second = 0] = numbers.slice(3);
    const ms = Date.UTC(part('year'), part('month') - 1, part('day'), hour, minute, second);
    const isReal =
      part('year') >= FIRST_YEAR &&
      new Date(ms).getUTCMonth() === part('month') - 1 &&
      new Date(ms).getUTCDate() === part('day') &&
      hour < 24 &&
      minute < 60 &&
      second < 60;
    return isReal ? ms : undefined;
  }
  return undefined;
}
