const QUARTER_HOUR_MS = 900_000;
/** Offsets in memory at a time: those of ten years of days. */
const KNOWN_MAX = 4_000;

/** Writes times as ISO 8601 with the offset that a time zone has then. */
export interface TimesInZone {
  /** The IANA name of the zone. */
  readonly name: string;
  /** Without a time: the empty text. */
  write(time: string | number | Date | null): string;
}

/** Returns the zone; one that is not known counts as UTC: a browser may know newer zones than the server. */
export function timesInZone(timeZone: string): TimesInZone {
  const format = offsetFormat(timeZone);
  const name = format.resolvedOptions().timeZone;
  const known = new Map<number, { text: string; ms: number }>();

  /** No zone changes its offset within a quarter of an hour; asking Intl takes microseconds. */
  function offsetAt(atMs: number) {
    const quarter = Math.floor(atMs / QUARTER_HOUR_MS);
    const found = known.get(quarter);
    if (found) return found;
    if (known.size >= KNOWN_MAX) known.clear();
    const offset = offsetOf(format.format(quarter * QUARTER_HOUR_MS));
    known.set(quarter, offset);
    return offset;
  }

  return {
    name,
    write(time) {
      if (time === null) return '';
      const atMs =
        typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) : time.getTime();
      if (name === 'UTC') return new Date(atMs).toISOString();
      const { text, ms } = offsetAt(atMs);
      return `${new Date(atMs + ms).toISOString().slice(0, -1)}${text}`;
    },
  };
}

function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return offsetFormat('UTC');
  }
}

/** From "1/5/2026, GMT-05:00"; before ICU 78, an offset of zero is "GMT" alone. */
function offsetOf(formatted: string): { text: string; ms: number } {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatted) ?? [];
  if (!sign) return { text: '+00:00', ms: 0 };
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { text: `${sign}${hours}:${minutes}`, ms: sign === '-' ? -ms : ms };
}
