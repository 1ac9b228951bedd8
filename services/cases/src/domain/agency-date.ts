const PATTERNS = [
  { pattern: /^(\d{2})-(\d{2})-(\d{4}) (\d{2}):(\d{2}):(\d{2})$/, order: ['month', 'day', 'year'] },
  { pattern: /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/, order: ['year', 'month', 'day'] },
] as const;

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
      new Date(ms).getUTCDate() === part('day') &&
      part('month') <= 12 &&
      hour < 24 &&
      minute < 60 &&
      second < 60;
    return isReal ? ms : undefined;
  }
  return undefined;
}
