/**
 * A signal within this time of the first is the same stop: one that reaches the whole process group, as Ctrl-C and a supervisor's
 * do, comes a second time through `npm start`, which passes it on.
 */
export const SAME_STOP_MS = 5_000;
/** As a shell reports a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

interface Surroundings {
  events: { on(event: string, listener: () => void): unknown };
  nowMs(): number;
  exit(code: number): void;
}

const thisProcess: Surroundings = {
  events: process,
  nowMs: () => performance.now(),
  exit: (code) => process.exit(code),
};

/**
 * Stops in order at the first signal, or when the process that started this one with a channel (`ipc`) has ended, then exits: 0, or
 * 1 where stopping failed. A signal later than SAME_STOP_MS after the first ends the process at once, unless the terminal has
 * closed: then several come by themselves. Child processes of `spawnChild` end in either case.
 */
export function stopOnSignals(
  stop: () => Promise<void>,
  { events, nowMs, exit }: Surroundings = thisProcess,
): void {
  let stoppingSinceMs: number | undefined;
  let hasClosed = false;

  function begin(): void {
    if (stoppingSinceMs !== undefined) return;
    stoppingSinceMs = nowMs();
    stop().then(
      () => exit(0),
      () => exit(1),
    );
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    events.on(signal, () => {
      hasClosed ||= signal === 'SIGHUP';
      const isAnother = stoppingSinceMs !== undefined && nowMs() - stoppingSinceMs > SAME_STOP_MS;
      if (isAnother && !hasClosed) exit(INTERRUPTED);
      else begin();
    });
  }
  events.on('disconnect', begin);
}
