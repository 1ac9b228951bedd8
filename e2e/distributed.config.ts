import type { PlaywrightTestConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** The main flow once more, with every service as a process of its own: what one shape shows, the other must too. */
process.env.E2E_SHAPE = 'distributed';

const config: PlaywrightTestConfig = {
  ...base,
  outputDir: '../test-results/e2e-distributed',
  grep: /@main-flow/,
  // Each product is a dozen processes.
  workers: 1,
  projects: [{ name: 'distributed', use: { viewport: { width: 1280, height: 800 } } }],
};
export default config;
