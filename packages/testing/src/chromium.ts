import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';

export interface ChromiumChoice {
  /** Undefined: Playwright's own browser. */
  executablePath: string | undefined;
  args: string[];
}

/** Nothing that a browser does on its own may leave the machine. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * A real Chromium: Playwright's own when it is installed, else the system's, else the one inside the npm
 * package `@sparticuz/chromium`. @throws when none can be had, saying how to get one.
 */
export async function findChromium(playwrightsOwn: string): Promise<ChromiumChoice> {
  if (existsSync(playwrightsOwn)) return { executablePath: undefined, args: QUIET };
  const system = SYSTEM.find((file) => existsSync(file));
  if (system) return { executablePath: system, args: [...QUIET, '--no-sandbox', '--disable-gpu'] };
  try {
    const executablePath = await sparticuz.executablePath();
    // Not the package's own list: it is made for functions that live for one page (a single process, no web security).
    return { executablePath, args: [...QUIET, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] };
  } catch (cause) {
    throw new Error(
      'No Chromium: run "npx playwright install chromium", or install the system package "chromium".',
      {
        cause,
      },
    );
  }
}
