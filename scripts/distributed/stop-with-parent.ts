import { spawn } from 'node:child_process';

/** Waits for the end of the pipe that we hold, then asks the server whose id stands in the file to stop. */
const WAIT_THEN_STOP = 'cat >/dev/null; pid=$(head -n 1 "$1" 2>/dev/null) && kill -INT "$pid"';

/**
 * A server that must not be killed but stopped in order (PostgreSQL: SIGINT) when we are killed. It removes its
 * file when it ends, so that no other process is hit.
 */
export function stopWithParent(pidFile: string): { release(): void } {
  const guard = spawn('sh', ['-c', WAIT_THEN_STOP, 'sh', pidFile], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return {
    release: () => {
      guard.kill('SIGKILL');
      // `cat` ends with the pipe.
      guard.stdin.destroy();
    },
  };
}
