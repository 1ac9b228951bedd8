const WINDOW_MS = 1_000;
/** Passed entries are cut off once this many have gathered. */
const COMPACT_AT = 64;

/** Counts events in the last second. Holds at most one entry per millisecond, however many events there are. */
export interface OneSecondWindow {
  /** Counts one event; the number of events in (atMs - 1000, atMs], this one included. */
  add(atMs: number): number;
  count(atMs: number): number;
}

/** A time before the latest one counts as the latest: a clock that steps back opens no gap. */
export function createOneSecondWindow(): OneSecondWindow {
  let entries: { ms: number; events: number }[] = [];
  let first = 0;
  let inWindow = 0;

  function slideTo(atMs: number): number {
    const latest = entries.at(-1)?.ms;
    const now = latest === undefined ? atMs : Math.max(atMs, latest);
    for (let entry = entries[first]; entry && entry.ms <= now - WINDOW_MS; entry = entries[first]) {
      inWindow -= entry.events;
      first += 1;
    }
    if (first >= COMPACT_AT) {
      entries = entries.slice(first);
      first = 0;
    }
    return now;
  }

  return {
    add: (atMs) => {
      const now = slideTo(atMs);
      const latest = entries.at(-1);
      if (latest && latest.ms === now) latest.events += 1;
      else entries.push({ ms: now, events: 1 });
      inWindow += 1;
      return inWindow;
    },
    count: (atMs) => {
      slideTo(atMs);
      return inWindow;
    },
  };
}
