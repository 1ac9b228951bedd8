import { fileURLToPath } from 'node:url';
import { goProgram } from './go-program.ts';

/** Returns the path of the stripe-mock that `tools/stripe-mock/go.mod` pins, built the first time. @throws without Go */
export function buildStripeMock(): Promise<string> {
  return goProgram({
    moduleFolder: fileURLToPath(new URL('../../../../tools/stripe-mock/', import.meta.url)),
    name: 'stripe-mock',
    package: 'github.com/stripe/stripe-mock',
  });
}
