import { isSandboxOpen } from './agency-dates.ts';

export interface Limits {
  callsPerSecond: number;
  callsPerDay: number;
  /** `sandbox`: Monday to Friday, 7:00 to 20:00 Eastern time. */
  openingHours: 'always' | 'sandbox';
}

export type Refusal = 'closed' | 'spike-arrest' | 'quota-spent';

/** The agency's limits on the status endpoint. Only calls that it lets in use them up. */
export interface CallLimits {
  /** Lets a call in (undefined) or says why not. */
  admit(atMs: number): Refusal | undefined;
  current(): Limits;
  /** Undefined leaves a limit as it is; what was used stays used. */
  change(limits: { [K in keyof Limits]?: Limits[K] | undefined }): void;
  /** Back to the first limits, with nothing used. */
  reset(): void;
}

const DAY_MS = 86_400_000;

export function createCallLimits(initial: Limits): CallLimits {
  let limits = initial;
  let window = createOneSecondWindow();
  let day = Number.NEGATIVE_INFINITY;
  let usedToday = 0;

  return {
    admit: (atMs) => {
      if (limits.openingHours === 'sandbox' && !isSandboxOpen(atMs)) return 'closed';
      if (window.count(atMs) >= limits.callsPerSecond) return 'spike-arrest';
      // The quota starts anew at midnight GMT, which is where days since the epoch change.
      const today = Math.floor(atMs / DAY_MS);
      if (today !== day) {
        day = today;
        usedToday = 0;
      }
      if (usedToday >= limits.callsPerDay) return 'quota-spent';
      window.add(atMs);
      usedToday += 1;
      return undefined;
    },
    current: () => limits,
    change: (changed) => {
      limits = {
        callsPerSecond: changed.callsPerSecond ?? limits.callsPerSecond,
        callsPerDay: changed.callsPerDay ?? limits.callsPerDay,
        openingHours: changed.openingHours ?? limits.openingHours,
      };
    },
    reset: () => {
      limits = initial;
      window = createOneSecondWindow();
      usedToday = 0;
    },
  };
}

const WINDOW_MS = 1_000;
/** Passed entries are cut off once this many have gathered. */
const COMPACT_AT = 64;

/** Counts events in the last second. Holds at most one entry per millisecond, however many events there are. */
export interface OneSecondWindow {
  /** Counts one event; the number of events in (atMs - 1000, atMs], this one included. */
  add(atMs: number): number;
  count(atMs: number): number;
}

/** Creates a window in which a time before the latest one counts as the latest: a clock that steps back opens no gap. */
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
