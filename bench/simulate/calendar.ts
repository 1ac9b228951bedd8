/** A queue by time for millions of numbers: a list for each minute, first in, first out, in two arrays of integers. */
export interface Calendar {
  /** `first` puts it before the others of its minute. */
  add(item: number, atMs: number, first?: boolean): void;
  /** Removes and returns the first item of the earliest minute, if that has come. */
  takeDue(nowMs: number): number | undefined;
  /** How many items are due at a time. */
  dueAt(ms: number): number;
}

const MINUTE_MS = 60_000;
const NONE = -1;

/** `next` holds the list that each item is in, which is in one calendar at a time: several calendars can share it. */
export function createCalendar(next: Int32Array, startMs: number, endMs: number): Calendar {
  const minutes = Math.ceil((endMs - startMs) / MINUTE_MS) + 1;
  const heads = new Int32Array(minutes).fill(NONE);
  const tails = new Int32Array(minutes).fill(NONE);
  const counts = new Int32Array(minutes);
  let earliest = minutes;

  /** What is due before the beginning is in the first minute, what is due after the end in the last, which never comes. */
  const minuteOf = (ms: number) => Math.min(minutes - 1, Math.max(0, Math.ceil((ms - startMs) / MINUTE_MS)));

  return {
    add(item, atMs, first = false) {
      const minute = minuteOf(atMs);
      const head = heads[minute] ?? NONE;
      const tail = tails[minute] ?? NONE;
      next[item] = first ? head : NONE;
      if (first || head === NONE) heads[minute] = item;
      if (!first && tail !== NONE) next[tail] = item;
      if (!first || tail === NONE) tails[minute] = item;
      counts[minute] = (counts[minute] ?? 0) + 1;
      earliest = Math.min(earliest, minute);
    },
    takeDue(nowMs) {
      const now = Math.floor((nowMs - startMs) / MINUTE_MS);
      while (earliest <= now && heads[earliest] === NONE) earliest += 1;
      if (earliest > now || earliest >= minutes) return undefined;
      const item = heads[earliest] ?? NONE;
      heads[earliest] = next[item] ?? NONE;
      if (heads[earliest] === NONE) tails[earliest] = NONE;
      counts[earliest] = (counts[earliest] ?? 0) - 1;
      return item;
    },
    dueAt(ms) {
      let due = 0;
      const until = Math.floor((ms - startMs) / MINUTE_MS);
      for (let minute = 0; minute <= until && minute < minutes; minute++) due += counts[minute] ?? 0;
      return due;
    },
  };
}
