import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The event bus's contract for the peer, which is no part of the product's tests: it needs the peer in the user's cache. */
export default defineConfig({
  root,
  test: {
    include: ['bench/peers/*.test.ts'],
    globalSetup: [`${root}vitest.database.ts`, `${root}vitest.kafka.ts`],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
