import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:cluster:pods`: the image and the chart on a real node with real pods. Linux, as root. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({ test: { include: ['tools/kubernetes/pods/test/*.pods.ts'], testTimeout: 60_000 } }),
);
