import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import type { KafkaAdmin } from './kafka-admin.ts';
import type { KafkaGroup } from './kafka-group.ts';
import { type PartitionLag, readLag } from './kafka-lag.ts';
import { createLiveness } from './liveness.ts';

const STUCK_AFTER_MS = 60_000;
const OBSERVE_EVERY_MS = 10_000;

/** Reads the lag of this process's consumer groups every ten seconds, and finds partitions that make no progress. */
export function watchLag({
  admin,
  groups,
  clock,
  logger,
}: {
  admin: KafkaAdmin;
  groups: readonly KafkaGroup[];
  clock: Clock;
  logger: Logger;
}) {
  const liveness = createLiveness(clock, STUCK_AFTER_MS);
  const stopping = new AbortController();
  let stuck: readonly string[] = [];
  /** As last read; undefined while no broker answers. */
  let lags: readonly PartitionLag[] | undefined;
  const observing = observe();

  async function observe(): Promise<void> {
    const log = createOutageLog(logger, {
      outage: 'kafka lag: broker unavailable, will retry',
      recovery: 'kafka lag: broker available, reading',
    });
    while (!stopping.signal.aborted) {
      await clock.sleep(OBSERVE_EVERY_MS, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        lags = await readLag(admin, groups);
        const now = liveness.stuck(lags.filter(isOurs));
        if (now.length > stuck.length)
          logger.error({ stuck: now }, 'kafka liveness: partitions make no progress, failing the probe');
        stuck = now;
        log.recovered();
      } catch (error) {
        // An unavailable broker is no reason to end the process: no member could make progress.
        lags = undefined;
        stuck = [];
        liveness.unknown();
        log.failed(error);
      }
    }
  }

  /**
   * Returns whether this process is responsible for a partition's progress: the partitions assigned to it, and all of them
   * before the first assignment, so that a member that never joins is noticed. None while a dependency of the handlers
   * is unavailable: a restart would not bring it back.
   */
  function isOurs(lag: PartitionLag): boolean {
    const { sincePauseMs } = groupOf(lag)?.state() ?? {};
    if (sincePauseMs !== undefined && sincePauseMs < STUCK_AFTER_MS / 2) return false;
    return isAssigned(lag);
  }

  function isAssigned(lag: PartitionLag): boolean {
    const assigned = groupOf(lag)?.assigned();
    return assigned === undefined || (assigned.get(lag.topic)?.includes(lag.partition) ?? false);
  }

  function groupOf({ groupId }: PartitionLag): KafkaGroup | undefined {
    return groups.find((candidate) => candidate.groupId === groupId);
  }

  return {
    /** Messages that wait for the group in the partitions of this process; undefined while no broker answers. */
    of: (groupId: string): number | undefined =>
      lags
        ?.filter((lag) => lag.groupId === groupId && isAssigned(lag))
        .reduce((sum, { next, end }) => sum + Number(end - next), 0),

    /** False when a partition of this process has had messages pending for a minute without progress. */
    healthy: () => stuck.length === 0,

    /** Resolves when the brokers are no longer asked. */
    stop(): Promise<void> {
      stopping.abort(new Error('stopped'));
      return observing;
    },
  };
}
