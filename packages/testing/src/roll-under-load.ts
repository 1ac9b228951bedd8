import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

interface Stoppable {
  stop(): Promise<void>;
}

/** How many requests each process answers before the next step. */
const REQUESTS_EACH = 10;

/**
 * Processes of one service that are replaced while requests go to each of them in turn, one after the other. A request fails when
 * its answer is no success, or when `send` throws. The load ends with the test.
 */
export function startRollUnderLoad<Process extends Stoppable>(
  first: Process,
  send: (process: Process) => Promise<Response>,
) {
  let running = [first];
  let sent = 0;
  let answered = 0;
  let isOver = false;
  let inFlight: Promise<void> = Promise.resolve();
  const failures: string[] = [];

  async function ask(process: Process): Promise<void> {
    try {
      const answer = await send(process);
      const body = await answer.text();
      if (!answer.ok) failures.push(`${answer.status} ${body}`);
    } catch (error) {
      failures.push(String(error));
    }
    answered++;
    // A request that fails without waiting for anything would let nothing else run.
    await setImmediate();
  }

  async function load(): Promise<void> {
    while (!isOver) {
      const next = running[sent++ % running.length];
      if (!next) return;
      inFlight = ask(next);
      await inFlight;
    }
  }

  async function goOn(): Promise<void> {
    const upTo = answered + REQUESTS_EACH * running.length;
    while (answered < upTo && !isOver) await inFlight;
  }

  const loading = load();
  const end = async () => {
    isOver = true;
    await loading;
    return failures;
  };
  onTestFinished(async () => void (await end()));

  return {
    goOn,
    /** Requests go to another process as well. */
    async add(process: Process): Promise<void> {
      running = [...running, process];
      await goOn();
    },
    /** A process gets no more requests, and stops; at least one other has to run. */
    async remove(process: Process): Promise<void> {
      running = running.filter((other) => other !== process);
      await inFlight;
      await process.stop();
      await goOn();
    },
    /** Ends the load. Resolves to the requests that failed. */
    end,
  };
}

/** Stops the process at the end of the test, unless it was before. */
export function stopWithTest<Process extends Stoppable>(process: Process): Process {
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= process.stop();
    return stopping;
  };
  onTestFinished(stop);
  return { ...process, stop };
}
