import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MODULE = 'github.com/stripe/stripe-mock';
const recipe = fileURLToPath(new URL('../../../tools/stripe-mock/', import.meta.url));
/** On the path, or where Go's own installer puts it. */
const GO = ['go', '/usr/local/go/bin/go'];
const run = promisify(execFile);

/** Builds the version that `tools/stripe-mock/go.mod` names, once, into the user's cache folder. @throws without Go */
export async function buildStripeMock(): Promise<string> {
  const version = new RegExp(`${MODULE} (\\S+)`).exec(readFileSync(path.join(recipe, 'go.mod'), 'utf8'))?.[1];
  const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const folder = path.join(base, 'casewatch', `stripe-mock-${version}`);
  const binary = path.join(folder, 'stripe-mock');
  if (existsSync(binary)) return binary;
  const go = await findGo();
  mkdirSync(folder, { recursive: true });
  // Made beside its place and renamed, so that any number of runs may do it at the same time.
  const made = `${binary}.${process.pid}.${performance.now()}`;
  try {
    await run(go, ['build', '-C', recipe, '-o', made, MODULE], { env: { ...process.env, CGO_ENABLED: '0' } });
    renameSync(made, binary);
  } catch (cause) {
    rmSync(made, { force: true });
    throw new Error('stripe-mock could not be built; these tests need it, or STRIPE_MOCK_URL.', { cause });
  }
  return binary;
}

async function findGo(): Promise<string> {
  for (const go of GO) {
    const works = await run(go, ['version']).then(
      () => true,
      () => false,
    );
    if (works) return go;
  }
  throw new Error(
    'These tests need stripe-mock: install Go 1.24 or newer (https://go.dev/dl) so that it can be built, or set STRIPE_MOCK_URL to one that runs.',
  );
}
