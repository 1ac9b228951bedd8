/** A bell for one sleeper: rung while nobody sleeps, it wakes the next one at once. */
export function createWakeUp() {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring(): void {
      rung = true;
      wake?.();
    },
    /** Resolves at the next ring, or when `also` resolves. */
    async wait(also: Promise<void>): Promise<void> {
      if (!rung) {
        const bell = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([bell, also]);
      }
      wake = undefined;
      rung = false;
    },
  };
}
