/** Reads in flight at once; further requests gather for the next one. The second keeps a long read from holding up the others. */
const READS_AT_ONCE = 2;
/** A read that takes longer holds up no others: a database that hangs must not make them wait one after another. */
const HOLDS_UP_MS = 1_000;

interface Waiting<Value> {
  key: string;
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that reads the value of one key. Keys that are requested in one turn of the event loop, or while others are
 * being read, are read together, in one statement, which costs less than one for each. A read begins after its request, so it sees
 * every change that was answered before; without other reads it begins in the same turn.
 */
export function createGatheredReads<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  { keysPerRead }: { keysPerRead: number },
): (key: string) => Promise<Value | undefined> {
  const waiting: Waiting<Value>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || inFlight >= READS_AT_ONCE) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void readSome();
    });
  };

  const readSome = async () => {
    const batch = waiting.splice(0, keysPerRead);
    inFlight += 1;
    const release = () => {
      inFlight -= 1;
      if (waiting.length > 0) schedule();
    };
    let holdsUp: NodeJS.Timeout | undefined = setTimeout(() => {
      holdsUp = undefined;
      release();
    }, HOLDS_UP_MS);
    if (waiting.length > 0) schedule();
    try {
      const values = await read([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (!holdsUp) return;
    clearTimeout(holdsUp);
    release();
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}
