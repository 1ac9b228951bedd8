import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:cluster`: the Helm chart on a real Kubernetes control plane with simulated nodes. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({ test: { include: ['tools/kubernetes/test/*.cluster.ts'], testTimeout: 150_000 } }),
);
