import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{host,gateway,services,packages,simulators,web,scripts,bench,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['./vitest.global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
