export type Signal = ReturnType<typeof createSignal>;

/** Creates a signal for one waiter: a notification that arrives while nothing waits completes the next wait at once. */
export function createSignal() {
  let notified = false;
  let wake: (() => void) | undefined;
  return {
    notify(): void {
      notified = true;
      wake?.();
    },
    /** Resolves at the next notification, or when `also` resolves. */
    async wait(also: Promise<void>): Promise<void> {
      if (!notified) {
        const notification = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([notification, also]);
      }
      notified = false;
    },
  };
}
