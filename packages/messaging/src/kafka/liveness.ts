import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { PartitionLag } from './kafka-lag.ts';

/**
 * Liveness is progress: tells what has not moved for `staleMs` although there is something to do. Knows only what
 * it is shown, so it must be shown more often than that.
 */
export function createLiveness(clock: Clock, staleMs: number) {
  const standing = new Map<string, { next: bigint; forMs: number }>();
  let lastShownMs: number | undefined;

  return {
    /** Takes where this process's partitions stand now, and names those that are stuck. */
    stuck(lags: readonly PartitionLag[]): string[] {
      const nowMs = clock.nowMs();
      const passedMs = nowMs - (lastShownMs ?? nowMs);
      lastShownMs = nowMs;
      const shown = new Set<string>();
      const stuck: string[] = [];
      for (const { groupId, topic, partition, next, end } of lags) {
        const name = `${groupId} ${topic}/${partition}`;
        if (end <= next) continue;
        shown.add(name);
        const known = standing.get(name);
        const forMs = known?.next === next ? known.forMs + passedMs : 0;
        standing.set(name, { next, forMs });
        if (forMs >= staleMs) stuck.push(name);
      }
      for (const name of standing.keys()) if (!shown.has(name)) standing.delete(name);
      return stuck;
    },

    /** The brokers don't tell: until they do again, no time counts against anybody, because nobody could get on. */
    unknown(): void {
      lastShownMs = undefined;
    },
  };
}
