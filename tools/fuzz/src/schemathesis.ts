import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from '@casewatch/dev-stack/tools/make-once';

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
  const folder = path.join(testCacheFolder(), `schemathesis-${await stampOf(python)}`);
  await install(python, folder);
  return {
    command: python,
    words: ['-m', 'schemathesis.cli'],
    env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
  };
}

/** A Python that Schemathesis runs on. @throws an error that says how to get one */
export async function findPython(): Promise<string> {
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

function install(python: string, folder: string): Promise<void> {
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  return makeOnce(folder, async (made) => {
    try {
      await run(python, [...words, '--require-hashes', '--target', made, '--requirement', requirements]);
    } catch (cause) {
      throw new Error(
        'Schemathesis could not be installed: pip has to reach PyPI, or a mirror it is set up for.',
        { cause },
      );
    }
  });
}
