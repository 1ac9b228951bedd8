import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { mutatedSources } from '../../packages/testing/src/mutated-sources.ts';

/** Which tests judge the mutants, as `scripts/mutation/run.ts` chose them: globs, separated by commas. */
const include = process.env.MUTATION_TESTS?.split(',') ?? [];

export default defineConfig({
  plugins: [mutatedSources()],
  resolve: {
    // Stryker runs in a copy whose `node_modules` leads back to the original packages: these must be the copies.
    alias: [
      {
        find: /^@casewatch\/(contracts|service-kit|messaging|shared-state|service-definition|dev-stack|testing)\/(.*)$/,
        replacement: path.join(import.meta.dirname, '../../packages/$1/src/$2.ts'),
      },
    ],
  },
  test: {
    include,
    setupFiles: ['./scripts/mutation/skip-able-to-fail.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
