import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirements = fileURLToPath(new URL('../requirements.txt', import.meta.url));
/** Newest first; the name without a version is what most machines have. */
const PYTHONS = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];
const OLDEST_PYTHON = [3, 11] as const;

/** A Python with Schemathesis in it: `command` and the words that come first. */
export interface Schemathesis {
  readonly command: string;
  readonly words: readonly string[];
  /** Where Python finds it. */
  readonly env: Record<string, string>;
}

/**
 * The Schemathesis that `requirements.txt` pins by hash, installed from PyPI the first time into a folder of its own in
 * the user's cache. @throws an error that says how to get Python where it is missing
 */
export async function findSchemathesis(): Promise<Schemathesis> {
  const python = await findPython();
  const folder = path.join(cacheFolder(), `schemathesis-${await stampOf(python)}`);
  if (!existsSync(folder)) await install(python, folder);
  return {
    command: python,
    words: ['-m', 'schemathesis.cli'],
    env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
  };
}

async function findPython(): Promise<string> {
  const probe = `import sys, pip; sys.exit(sys.version_info < (${OLDEST_PYTHON.join()}))`;
  for (const python of PYTHONS) {
    const fits = await run(python, ['-c', probe]).then(
      () => true,
      () => false,
    );
    if (fits) return python;
  }
  throw new Error(
    `The API is fuzzed with Schemathesis, which needs Python ${OLDEST_PYTHON.join('.')} or newer with pip: ` +
      'install it (https://www.python.org/downloads, or "apt install python3 python3-pip") and try again.',
  );
}

/** Another one for every Python and set of versions: what is compiled for one does not load in another. */
async function stampOf(python: string): Promise<string> {
  const { stdout } = await run(python, [
    '-c',
    'import sys, sysconfig; print(sys.version, sysconfig.get_platform())',
  ]);
  return hash('sha256', stdout + readFileSync(requirements, 'utf8')).slice(0, 12);
}

/** Made beside its place and renamed, so that any number of runs may do it at the same time. */
async function install(python: string, folder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const made = mkdtempSync(`${folder}.`);
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  try {
    await run(python, [...words, '--require-hashes', '--target', made, '--requirement', requirements]);
    renameSync(made, folder);
  } catch (cause) {
    rmSync(made, { recursive: true, force: true });
    if (existsSync(folder)) return;
    throw new Error(
      'Schemathesis could not be installed: pip has to reach PyPI, or a mirror it is set up for.',
      {
        cause,
      },
    );
  }
}

function cacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'casewatch');
}
