import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
 * Returns a real Chromium: Playwright's own if it is installed, else the system's, else the one inside the npm
 * package `@sparticuz/chromium`. Throws an error that says how to get one.
 */
export async function findChromium(playwrightsOwn: string): Promise<ChromiumChoice> {
  if (existsSync(playwrightsOwn)) return { executablePath: undefined, args: QUIET };
  const system = SYSTEM.find((file) => existsSync(file));
  if (system) return { executablePath: system, args: [...QUIET, '--no-sandbox', '--disable-gpu'] };
  try {
    const folder = await unpackOnce(packagedFolder(), unpackPackaged);
    // Not the package's own list: it is made for functions that live for one page (a single process, no web security).
    const args = [...QUIET, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    return { executablePath: path.join(folder, 'chromium'), args };
  } catch (cause) {
    throw new Error(
      'No Chromium: run "npx playwright install chromium", or install the system package "chromium".',
      { cause },
    );
  }
}

/**
 * Fills `folder` with what `unpack` writes into the folder it is given, unless it exists. Safe across processes:
 * the folder appears complete or not at all.
 */
export async function unpackOnce(
  folder: string,
  unpack: (into: string) => Promise<unknown>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  const staging = await mkdtemp(`${folder}-`);
  try {
    await unpack(staging);
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Named by version, so that an upgrade is not answered with the browser before it. */
function packagedFolder(): string {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const manifest = path.join(path.dirname(entry), '..', 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return path.join(tmpdir(), `casewatch-chromium-${version}-${process.getuid?.() ?? 'user'}`);
}

/** The package unpacks into the system's temporary folder and takes a half-written file there for a whole one. */
async function unpackPackaged(into: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = into;
  try {
    await sparticuz.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
