import { nextCheckMs } from '@casewatch/monitoring/domain/check-times';
import { DAY_MS, PERIODS } from './watches.ts';

/** Lookups that the store can't answer, of one user a day, and those that a script makes. */
export const LOOKUPS_A_DAY = 0.2;
export const SCRIPT_PER_SECOND = 0.5;

/**
 * Arithmetic of a steady state: what the checks need of what is left for them, and, when that is more than all, how long every
 * due watch waits: so long that a cycle of period and wait needs no more calls than there are.
 */
export function steadyWaitDays(
  { watches, callsPerSecond, callsPerDay }: { watches: number; callsPerSecond: number; callsPerDay: number },
  shares: readonly [number, number, number],
  watchesPerUser: number,
  monitoringShare: number,
): { demand: number; waitDays: number } {
  const allowed = Math.min(callsPerDay, (callsPerSecond * DAY_MS) / 1_000);
  const asked = (watches / watchesPerUser) * LOOKUPS_A_DAY + (SCRIPT_PER_SECOND * DAY_MS) / 1_000;
  const left = Math.max(allowed * monitoringShare, allowed - asked);
  const needed = (waitDays: number) =>
    PERIODS.reduce<number>((sum, periodDays, place) => {
      const cycle = nextCheckMs(0, { periodDays, spot: 0.5 }) / DAY_MS + waitDays;
      return sum + (watches * (shares[place] ?? 0)) / cycle;
    }, 0);
  let [least, most] = [0, needed(0) > left ? watches / left : 0];
  while (most - least > 0.001) {
    const middle = (least + most) / 2;
    if (needed(middle) > left) least = middle;
    else most = middle;
  }
  return { demand: needed(0) / left, waitDays: most };
}
