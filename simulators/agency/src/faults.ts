import type { ErrorShape } from './agency-reply.ts';
import { HOSTILE_MODES } from './hostile-reply.ts';

/** All scriptable faults. `slow` answers correctly, but late. */
export const FAULT_MODES = [
  'invalid-json',
  'changed-shape',
  'html',
  'unauthorized',
  'not-found',
  'refused',
  'rate-limited',
  'unavailable',
  'timeout',
  'reset',
  'slow',
  ...HOSTILE_MODES,
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

export interface Fault {
  readonly mode: FaultMode;
  /** The shape of an error's body; without one, the usual shape of that error. */
  readonly shape: ErrorShape | undefined;
  /** For `slow`: how late. */
  readonly delayMs: number;
}

/** Where a fault applies: every status call, one receipt number's, or the token endpoint's. */
export type FaultPlace = { endpoint: 'status'; receiptNumber: string | undefined } | { endpoint: 'token' };

export interface Faults {
  /** `count` is how many calls the fault lasts; undefined: until it is changed. */
  set(place: FaultPlace, fault: Fault, count: number | undefined): void;
  /** Ends the fault at a place; without a place, all of them. */
  clear(place?: FaultPlace): void;
  /** Returns the fault that this call meets and counts it; a receipt number's own comes before the general one. */
  take(place: FaultPlace): Fault | undefined;
  list(): { place: FaultPlace; mode: FaultMode; left: number | null }[];
}

export function createFaults(): Faults {
  const active = new Map<string, { place: FaultPlace; fault: Fault; left: number }>();

  function takeAt(place: FaultPlace): Fault | undefined {
    const found = active.get(keyOf(place));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) active.delete(keyOf(place));
    return found.fault;
  }

  return {
    set: (place, fault, count) => {
      active.set(keyOf(place), { place, fault, left: count ?? Number.POSITIVE_INFINITY });
    },
    clear: (place) => {
      if (place) active.delete(keyOf(place));
      else active.clear();
    },
    take: (place) =>
      takeAt(place) ??
      (place.endpoint === 'status' ? takeAt({ endpoint: 'status', receiptNumber: undefined }) : undefined),
    list: () =>
      [...active.values()].map(({ place, fault, left }) => ({
        place,
        mode: fault.mode,
        left: Number.isFinite(left) ? left : null,
      })),
  };
}

function keyOf(place: FaultPlace): string {
  return place.endpoint === 'token' ? 'token' : `status ${place.receiptNumber ?? '*'}`;
}
