import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:charts`: the Helm chart, rendered and checked without a cluster. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({ test: { include: ['tools/kubernetes/test/*.charts.ts'], testTimeout: 60_000 } }),
);
