import { isSandboxOpen } from './agency-dates.ts';
import { createOneSecondWindow } from './one-second-window.ts';

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
