/** Everything that can be made to go wrong with the API. `slow` answers rightly, but late. */
export const FAULT_MODES = [
  'unavailable',
  'server-error',
  'rate-limited',
  'timeout',
  'reset',
  'lost-answer',
  'slow',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

export interface Fault {
  readonly mode: FaultMode;
  /** For `slow`: how late. */
  readonly delayMs: number;
  /** Only requests whose path begins so. */
  readonly path: string;
  /** Only requests with this method; undefined: all. */
  readonly method: string | undefined;
}

export interface Faults {
  /** `count` is how many requests the fault lasts; undefined: until it is changed. Replaces the one before. */
  set(fault: Fault, count: number | undefined): void;
  clear(): void;
  /** The fault that this request meets, used up by one. */
  take(method: string, path: string): Fault | undefined;
  current(): (Fault & { left: number | null }) | undefined;
}

export function createFaults(): Faults {
  let active: { fault: Fault; left: number } | undefined;
  return {
    set: (fault, count) => {
      active = { fault, left: count ?? Number.POSITIVE_INFINITY };
    },
    clear: () => {
      active = undefined;
    },
    take: (method, path) => {
      if (!active || !path.startsWith(active.fault.path)) return undefined;
      if (active.fault.method !== undefined && active.fault.method !== method) return undefined;
      const { fault } = active;
      active.left -= 1;
      if (active.left <= 0) active = undefined;
      return fault;
    },
    current: () => active && { ...active.fault, left: Number.isFinite(active.left) ? active.left : null },
  };
}
