export type PartitionProgress = ReturnType<typeof createPartitionProgress>;

/**
 * Tracks which messages of a partition are dispatched and not settled, whichever generation of the group they were
 * delivered in, and the offset up to which all are settled. After a rebalance kafkajs may deliver a batch that it fetched
 * before, and the messages that are in flight come again: no offset is committed past the lowest unsettled one of any generation.
 */
export function createPartitionProgress() {
  const unsettled = new Set<{ readonly offset: bigint }>();
  /** The offset after the one that this generation delivered last, and what it has committed, or where it began. */
  let generation: { next: bigint; floor: bigint } | undefined;

  return {
    inFlight: () => unsettled.size,

    /** Marks a message as dispatched; the returned function is called once, when it is settled. */
    begin(offset: bigint): () => void {
      const entry = { offset };
      unsettled.add(entry);
      generation = { next: offset + 1n, floor: generation?.floor ?? offset };
      return () => void unsettled.delete(entry);
    },

    /** The offset of the next message to read after a restart, if it has moved: all before it are settled. */
    committable(): bigint | undefined {
      if (!generation) return undefined;
      let lowest = generation.next;
      for (const { offset } of unsettled) if (offset < lowest) lowest = offset;
      return lowest > generation.floor ? lowest : undefined;
    },

    noteCommitted(offset: bigint): void {
      if (generation) generation.floor = offset;
    },

    /** Begins a generation: the group may have moved on, and what is not committed is delivered again. */
    rejoined(): void {
      generation = undefined;
    },
  };
}
