import type { KafkaAdmin } from './kafka-admin.ts';

export interface PartitionLag {
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
  /** The next offset that the group would read after a restart. */
  readonly next: bigint;
  /** The offset that the next message will get. */
  readonly end: bigint;
}

const NOTHING_COMMITTED = '-1';

/** Returns the position of each group in each partition of its topics. @throws when the broker is unavailable. */
export async function readLag(
  admin: KafkaAdmin,
  groups: readonly { groupId: string; topics: readonly string[] }[],
): Promise<PartitionLag[]> {
  const names = [...new Set(groups.flatMap(({ topics }) => topics))];
  const bounds = new Map(
    await Promise.all(
      names.map(async (topic) => [topic, await admin.use((on) => on.fetchTopicOffsets(topic))] as const),
    ),
  );
  const lags = await Promise.all(
    groups.map(async ({ groupId, topics }) => {
      const committed = await admin.use((on) => on.fetchOffsets({ groupId, topics: [...topics] }));
      return topics.flatMap((topic) => {
        const known = committed.find((one) => one.topic === topic)?.partitions ?? [];
        return (bounds.get(topic) ?? []).map(({ partition, low, high }) => {
          const offset = known.find((one) => one.partition === partition)?.offset ?? NOTHING_COMMITTED;
          // A group that has committed nothing, or whose next message was deleted, starts at the oldest one.
          return { groupId, topic, partition, next: later(BigInt(offset), BigInt(low)), end: BigInt(high) };
        });
      });
    }),
  );
  return lags.flat();
}

const later = (a: bigint, b: bigint) => (a > b ? a : b);
