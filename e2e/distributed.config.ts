import type { PlaywrightTestConfig } from '@playwright/test';
import mainFlows from './main-flows.config.ts';

/** The main flows once more, with every service as a process of its own: what one shape shows, the other must too. */
process.env.E2E_SHAPE = 'distributed';

const config: PlaywrightTestConfig = {
  ...mainFlows,
  outputDir: '../test-results/e2e-distributed',
  // Each product is a dozen processes.
  workers: 1,
};
export default config;
