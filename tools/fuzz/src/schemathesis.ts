import { fileURLToPath } from 'node:url';
import { findPython, installPythonPackages } from '@casewatch/dev-stack/tools/python-packages';

const PROGRAM = 'Schemathesis';
const requirements = fileURLToPath(new URL('../requirements.txt', import.meta.url));

/** A Python with Schemathesis in it: `command` and the words that come first. */
export interface Schemathesis {
  readonly command: string;
  readonly words: readonly string[];
  /** Where Python finds it. */
  readonly env: Record<string, string>;
}

/** Returns the Schemathesis that `requirements.txt` pins by hash. @throws an error that says how to get Python where it is missing */
export async function findSchemathesis(): Promise<Schemathesis> {
  const { python, env } = await installPythonPackages({ program: PROGRAM, requirements });
  return { command: python, words: ['-m', 'schemathesis.cli'], env };
}

/** Returns a Python that Schemathesis runs on. @throws an error that says how to get one */
export function findSchemathesisPython(): Promise<string> {
  return findPython(PROGRAM);
}
