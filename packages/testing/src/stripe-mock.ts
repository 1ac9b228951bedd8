import { once } from 'node:events';
import { freePort } from '@casewatch/dev-stack/free-port';
import { spawnChild } from '@casewatch/dev-stack/processes/child-process';
import { buildStripeMock } from '@casewatch/dev-stack/tools/stripe-mock-binary';

/** Stripe's own server that checks every request against Stripe's description of its API; its answers are samples. */
export interface StripeMock {
  readonly url: string;
  stop(): Promise<void>;
}

const START_WITHIN_MS = 20_000;
const LAST_WORDS_LENGTH = 2_000;

/**
 * Starts the stripe-mock at `STRIPE_MOCK_URL`, else one of our own, built with Go.
 * @throws when none can be had, saying how to get one
 */
export async function startStripeMock(): Promise<StripeMock> {
  const given = process.env.STRIPE_MOCK_URL;
  if (given) return { url: given, stop: async () => undefined };
  const binary = await buildStripeMock();
  const port = await freePort();
  const child = spawnChild(binary, ['-http-addr', `127.0.0.1:${port}`], { detached: true });
  let lastWords = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (words: Buffer) => {
      lastWords = `${lastWords}${words}`.slice(-LAST_WORDS_LENGTH);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const deadline = performance.now() + START_WITHIN_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`stripe-mock did not start: ${lastWords}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop };
}

/** Any answer will do: without a key it is 401. */
function answers(url: string): Promise<boolean> {
  return fetch(`${url}/v1/customers`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return true;
    },
    () => false,
  );
}
