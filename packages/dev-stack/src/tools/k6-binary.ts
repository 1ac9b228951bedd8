import { fileURLToPath } from 'node:url';
import { goProgram } from './go-program.ts';

/** Returns the path of the k6 that `tools/k6/go.mod` pins, built the first time. @throws without Go */
export function buildK6(): Promise<string> {
  return goProgram({
    moduleFolder: fileURLToPath(new URL('../../../../tools/k6/', import.meta.url)),
    name: 'k6',
    package: 'go.k6.io/k6',
  });
}
