export interface FairQueue {
  /**
   * Runs `work` when its turn comes; the sources that wait take turns. `hadTurn`: it has been run before and had to come
   * back, so it goes first.
   * @throws the error that `overloaded` returns, when the queue is full and no other source has more requests in it
   */
  run<T>(source: string, work: () => Promise<T>, hadTurn?: boolean): Promise<T>;
}

interface Waiter {
  begin(): void;
  refuse(error: Error): void;
}

/**
 * Runs at most `atOnce` at a time and lets `waiting` more wait. A source that sends many delays and displaces its own:
 * when the queue is full, a newcomer takes the place of the newest waiter of the source that has most.
 */
export function createFairQueue(options: {
  atOnce: number;
  waiting: number;
  overloaded: () => Error;
}): FairQueue {
  const { atOnce, waiting, overloaded } = options;
  let running = 0;
  const returning: Waiter[] = [];
  /** In the order of their next turns. */
  const lines = new Map<string, Waiter[]>();

  function enter(source: string, waiter: Waiter, hadTurn: boolean): void {
    if (hadTurn) {
      returning.push(waiter);
      return;
    }
    const line = lines.get(source) ?? [];
    if (waiterCount() >= waiting) makeRoomFor(line);
    lines.set(source, [...line, waiter]);
  }

  function waiterCount(): number {
    let count = 0;
    for (const line of lines.values()) count += line.length;
    return count;
  }

  function makeRoomFor(line: readonly Waiter[]): void {
    const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    // A place that is taken from others must not be taken back by them.
    if (longest.length <= line.length + 1) throw overloaded();
    longest.pop()?.refuse(overloaded());
  }

  function next(): Waiter | undefined {
    const first = returning.shift();
    if (first) return first;
    const [turn] = lines;
    if (!turn) return undefined;
    const [source, line] = turn;
    const waiter = line.shift();
    lines.delete(source);
    if (line.length > 0) lines.set(source, line);
    return waiter;
  }

  return {
    async run(source, work, hadTurn = false) {
      if (running < atOnce) running += 1;
      else await new Promise<void>((begin, refuse) => enter(source, { begin, refuse }, hadTurn));
      try {
        return await work();
      } finally {
        // A waiter takes over the place; no newcomer can slip in between.
        const waiter = next();
        if (waiter) waiter.begin();
        else running -= 1;
      }
    },
  };
}
