/**
 * Stops in order at the first signal, then exits: 0, or 1 where stopping failed. A second signal ends the process at once, unless
 * the terminal has closed: then several come by themselves, and what the terminal does not reach still has to be stopped.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  let hasClosed = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      hasClosed ||= signal === 'SIGHUP';
      if (stopping && !hasClosed) process.exit(130);
      if (stopping) return;
      stopping = true;
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
