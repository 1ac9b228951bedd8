export type PartitionProgress = ReturnType<typeof createPartitionProgress>;

/** Which messages of a partition are handed on, and up to where all of them are settled. */
export function createPartitionProgress() {
  /** In the order of their offsets; starts with the oldest that is not settled. */
  const open: { readonly offset: bigint; settled: boolean }[] = [];
  let inHand = 0;
  let settledUpTo: bigint | undefined;
  let committed: bigint | undefined;

  return {
    inHand: () => inHand,

    /** A message is handed on; the function returned is called once, when it is settled. */
    begin(offset: bigint): () => void {
      const entry = { offset, settled: false };
      open.push(entry);
      inHand++;
      return () => {
        entry.settled = true;
        inHand--;
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
