import Stripe from 'stripe';
import { BEHAVIOR, type Behavior } from '../src/control/behavior.ts';
import { type Observed, observeBehavior } from './observe-behavior.ts';

/** Only a key of test mode, in which no money moves. */
const TEST_KEY = /^(?:sk|rk)_test_/;

/**
 * Compares Stripe with what the simulator takes it for by default, and prints each thing that differs or could not be asked. The product works either way.
 * @throws Error for any key but one of test mode
 */
export async function verify(
  { secretKey, apiBase }: { secretKey: string | undefined; apiBase: string | undefined },
  { print, changeCardInPortal }: Pick<Observed, 'changeCardInPortal'> & { print: (line: string) => void },
): Promise<void> {
  if (!secretKey || !TEST_KEY.test(secretKey))
    throw new Error('STRIPE_SECRET_KEY must be a key of test mode (sk_test_… or rk_test_…)');
  const { protocol, hostname, port } = new URL(apiBase ?? 'https://api.stripe.com');
  const stripe = new Stripe(secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port ? { port } : {}),
    telemetry: false,
  });
  const found = await observeBehavior({ stripe, changeCardInPortal });
  let [asked, unknown, differing] = [0, 0, 0];
  for (const name of Object.keys(BEHAVIOR) as (keyof Behavior)[]) {
    const way = found[name];
    if (way instanceof Error) {
      unknown += 1;
      print(`not known: ${name}: ${way.message}`);
      continue;
    }
    asked += 1;
    if (way !== BEHAVIOR[name][0]) {
      differing += 1;
      print(`differs: ${name} is ${way}, not ${BEHAVIOR[name][0]}`);
    }
  }
  print(`${differing} of ${asked} assumptions differ${unknown > 0 ? `, ${unknown} are not known` : ''}`);
}
