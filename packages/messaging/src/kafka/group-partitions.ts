import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { EachBatchPayload } from 'kafkajs';
import { createPartitionProgress, type PartitionProgress } from './partition-progress.ts';

interface Partition extends PartitionProgress {
  readonly topic: string;
  readonly partition: number;
  resume: (() => void) | undefined;
}

/** Keeps the progress of each partition of a consumer group, and commits the offsets up to which all is settled. */
export function createGroupPartitions(logger: Logger) {
  /** By topic and partition; outlives assignments, since what was dispatched stays in flight. */
  const partitions = new Map<string, Partition>();
  /** Of the batch delivered last, which belongs to the group as it is now. */
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | undefined;

  return {
    /** Returns the partition of a batch that was delivered. */
    receiving({ batch, commitOffsetsIfNecessary }: EachBatchPayload): Partition {
      commit = commitOffsetsIfNecessary;
      const { topic, partition } = batch;
      const name = `${topic}/${partition}`;
      const known = partitions.get(name);
      if (known) return known;
      const made: Partition = { ...createPartitionProgress(), topic, partition, resume: undefined };
      partitions.set(name, made);
      return made;
    },

    /** Begins a generation of the group. */
    rejoined(): void {
      for (const known of partitions.values()) {
        resumeFetching(known);
        known.rejoined();
      }
    },

    /**
     * Resolves to false when the offsets can't be committed: they are committed later, or their messages are delivered again
     * without effect. Bypasses `consumer.commitOffsets`, which starts a second fetch loop when the group rebalances.
     */
    async commitSettled(): Promise<boolean> {
      const due = [...partitions.values()].flatMap((progress) => {
        const offset = progress.committable();
        return offset === undefined ? [] : [{ progress, offset }];
      });
      if (due.length === 0 || !commit) return true;
      try {
        await commit({
          topics: [...Map.groupBy(due, ({ progress }) => progress.topic)].map(([topic, parts]) => ({
            topic,
            partitions: parts.map(({ progress, offset }) => ({
              partition: progress.partition,
              offset: String(offset),
            })),
          })),
        });
        for (const { progress, offset } of due) progress.noteCommitted(offset);
        return true;
      } catch (error) {
        logger.debug({ err: error }, 'kafka group: offset commit failed, will retry');
        return false;
      }
    },
  };
}

/** Continues a partition that was paused. */
export function resumeFetching(progress: Partition): void {
  progress.resume?.();
  progress.resume = undefined;
}
