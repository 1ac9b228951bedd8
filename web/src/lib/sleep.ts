/** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
