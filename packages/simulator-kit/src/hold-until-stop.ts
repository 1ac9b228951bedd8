import type { ServerResponse } from 'node:http';

/** Never answers: ends when the caller hangs up, or by hanging up when the simulator stops. */
export function holdUntilStop(res: ServerResponse, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const hangUp = () => res.destroy();
    stopping.addEventListener('abort', hangUp, { once: true });
    res.once('close', () => {
      stopping.removeEventListener('abort', hangUp);
      resolve();
    });
    if (stopping.aborted) hangUp();
  });
}
