import type { PlaywrightTestConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** The main flows alone, in a wide window: what `npm test` runs. */
const config: PlaywrightTestConfig = {
  ...base,
  outputDir: '../test-results/e2e-main-flows',
  grep: /@main-flow/,
  projects: (base.projects ?? []).filter(({ name }) => name === 'desktop'),
};
export default config;
