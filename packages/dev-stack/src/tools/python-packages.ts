import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOnce, testCacheFolder } from './make-once.ts';

const run = promisify(execFile);
/** Newest first; the name without a version is what most machines have. */
const PYTHONS = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];
const OLDEST_PYTHON = [3, 11] as const;

/** A Python with packages in it. */
export interface PythonWithPackages {
  readonly python: string;
  /** Where Python finds them. */
  readonly env: Record<string, string>;
}

export interface PinnedPackages {
  /** Of the program, in messages: `Schemathesis`. */
  readonly program: string;
  /** Path of a `requirements.txt` that pins it and all that it needs by hash. */
  readonly requirements: string;
}

/**
 * Installs pinned packages from PyPI the first time into a folder of their own in the user's cache, never into the machine's
 * Python. @throws an error that says how to get Python where it is missing
 */
export async function installPythonPackages(pinned: PinnedPackages): Promise<PythonWithPackages> {
  const python = await findPython(pinned.program);
  const stamp = await stampOf(python, pinned.requirements);
  const folder = path.join(testCacheFolder(), `${pinned.program.toLowerCase()}-${stamp}`);
  await makeOnce(folder, (made) => install(python, pinned, made));
  return { python, env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' } };
}

/** Returns a Python that runs `program`. @throws an error that says how to get one */
export async function findPython(program: string): Promise<string> {
  const probe = `import sys, pip; sys.exit(sys.version_info < (${OLDEST_PYTHON.join()}))`;
  for (const python of PYTHONS) {
    const fits = await run(python, ['-c', probe]).then(
      () => true,
      () => false,
    );
    if (fits) return python;
  }
  throw new Error(
    `${program} needs Python ${OLDEST_PYTHON.join('.')} or newer with pip: ` +
      'install it (https://www.python.org/downloads, or "apt install python3 python3-pip") and try again.',
  );
}

/** Another one for every Python and set of versions: what is compiled for one does not load in another. */
async function stampOf(python: string, requirements: string): Promise<string> {
  const { stdout } = await run(python, [
    '-c',
    'import sys, sysconfig; print(sys.version, sysconfig.get_platform())',
  ]);
  return hash('sha256', stdout + readFileSync(requirements, 'utf8')).slice(0, 12);
}

async function install(
  python: string,
  { program, requirements }: PinnedPackages,
  folder: string,
): Promise<void> {
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  try {
    await run(python, [...words, '--require-hashes', '--target', folder, '--requirement', requirements]);
  } catch (cause) {
    throw new Error(
      `${program} could not be installed: pip has to reach PyPI, or a mirror it is set up for.`,
      { cause },
    );
  }
}
