import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{host,gateway,services,packages,simulators,web,scripts,bench,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['./vitest.global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What has to come about is waited for; a test that asks how soon measures that itself.
    expect: { poll: { timeout: 15_000, interval: 20 } },
    maxWorkers: 2,
  },
});
