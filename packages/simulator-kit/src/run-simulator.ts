/** Runs a simulator until SIGINT or SIGTERM. A failed start is reported on stderr and sets the exit code. */
export async function runSimulator(start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  try {
    const simulator = await start();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop());
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
