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
      return committed.flatMap(({ topic, partitions }) =>
        partitions.flatMap(({ partition, offset }) => {
          const bound = bounds.get(topic)?.find((candidate) => candidate.partition === partition);
          if (!bound) return [];
          const low = BigInt(bound.low);
          const known = BigInt(offset);
          // -1 when the group has committed nothing: it starts at the oldest message.
          return [{ groupId, topic, partition, next: known < low ? low : known, end: BigInt(bound.high) }];
        }),
      );
    }),
  );
  return lags.flat();
}
