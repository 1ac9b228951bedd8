import { fileURLToPath } from 'node:url';
import { findChromium } from '@casewatch/testing/chromium';
import { chromium, defineConfig } from '@playwright/test';

const { executablePath, args } = await findChromium(chromium.executablePath());

/** Each test once in a wide window, in both themes; again in a phone's where the layout is another one. */
export default defineConfig({
  testDir: './tests',
  globalSetup: fileURLToPath(new URL('./src/global-setup.ts', import.meta.url)),
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  use: {
    launchOptions: { args, ...(executablePath ? { executablePath } : {}) },
    screenshot: 'only-on-failure',
    locale: 'en-US',
    timezoneId: 'UTC',
    // A worker answers before the routes of a test do; the tests about it let it in.
    serviceWorkers: 'block',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
    { name: 'phone', use: { viewport: { width: 320, height: 640 }, hasTouch: true }, grep: /@phone/ },
  ],
});
