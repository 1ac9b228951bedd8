import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

const MINUTE_MS = 60_000;

/** `npm run test:fuzz`: every answer of the API, held against its OpenAPI document. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({
    test: {
      include: ['tools/fuzz/test/*.fuzz.ts'],
      // Installs its tools the first time; `npm run nightly` asks for a hundred times as much.
      hookTimeout: (process.env.FUZZ_FULL ? 240 : 20) * MINUTE_MS,
      testTimeout: 10 * MINUTE_MS,
    },
  }),
);
