export type PartitionProgress = ReturnType<typeof createPartitionProgress>;

/** Tracks which messages of a partition are dispatched, and the offset up to which all are settled. */
export function createPartitionProgress() {
  /** In the order of their offsets; starts with the oldest that is not settled. */
  const open: { readonly offset: bigint; settled: boolean }[] = [];
  let inFlight = 0;
  let settledUpTo: bigint | undefined;
  let committed: bigint | undefined;

  return {
    inFlight: () => inFlight,

    /** Marks a message as dispatched; the returned function is called once, when it is settled. */
    begin(offset: bigint): () => void {
      const entry = { offset, settled: false };
      open.push(entry);
      inFlight++;
      return () => {
        entry.settled = true;
        inFlight--;
        let done = 0;
        for (const { offset: next, settled } of open) {
          if (!settled) break;
          settledUpTo = next + 1n;
          done++;
        }
        if (done > 0) open.splice(0, done);
      };
    },

    /** The offset of the next message to read after a restart, if it has moved: all before it are settled. */
    committable: (): bigint | undefined => (settledUpTo === committed ? undefined : settledUpTo),

    noteCommitted(offset: bigint): void {
      committed = offset;
    },
  };
}
