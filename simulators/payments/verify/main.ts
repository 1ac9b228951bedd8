import { verify } from './verify.ts';

const PATIENCE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 3_000;
const print = (line: string) => process.stdout.write(`${line}\n`);
const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = process.env;

/** `npm run stripe:verify`: the card of the portal is changed by hand, everything else by itself. */
try {
  await verify(
    { secretKey, apiBase },
    {
      print,
      async changeCardInPortal(url, isChanged) {
        print(`Within five minutes, add the card 5555 5555 5555 4444 as the default one: ${url}`);
        const untilMs = Date.now() + PATIENCE_MS;
        while (!(await isChanged())) {
          if (Date.now() > untilMs) throw new Error('the card of the portal was not changed');
          await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        }
      },
    },
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
