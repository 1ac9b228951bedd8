import { fileURLToPath } from 'node:url';
import { findChromium } from '@casewatch/testing/chromium';
import { chromium, defineConfig } from '@playwright/test';

const { executablePath, args } = await findChromium(chromium.executablePath());

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 640 };

/** Tests of behaviour that no colour changes: once per width is enough. */
const ANY_THEME = /@any-theme/;

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
  },
  projects: [
    { name: 'desktop-light', use: { viewport: DESKTOP } },
    {
      name: 'desktop-dark',
      use: { viewport: DESKTOP },
      metadata: { theme: 'dark' },
      grepInvert: ANY_THEME,
    },
    { name: 'phone-light', use: { viewport: PHONE, hasTouch: true } },
    {
      name: 'phone-dark',
      use: { viewport: PHONE, hasTouch: true },
      metadata: { theme: 'dark' },
      grepInvert: ANY_THEME,
    },
  ],
});
