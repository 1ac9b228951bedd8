import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { PartitionLag } from './kafka-lag.ts';

/**
 * Liveness is progress: finds partitions that have not moved for `staleMs` although messages are pending. It must be
 * given their positions more often than that.
 */
export function createLiveness(clock: Clock, staleMs: number) {
  const time = steadyTime(clock);
  const standing = new Map<string, { next: bigint; forMs: number }>();
  let lastReadMs: number | undefined;

  return {
    /** Takes the positions of this process's partitions and returns the names of those that are stuck. */
    stuck(lags: readonly PartitionLag[]): string[] {
      const nowMs = time();
      const passedMs = nowMs - (lastReadMs ?? nowMs);
      lastReadMs = nowMs;
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

    /** The brokers don't answer: until they do, no time counts, because no member could make progress. */
    unknown(): void {
      lastReadMs = undefined;
    },
  };
}
