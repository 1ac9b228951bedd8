import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:alerts`: alert rules and the observability files, judged by Prometheus' and the collector's own programs. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({ test: { include: ['tools/observability/test/*.alerts.ts'], testTimeout: 600_000 } }),
);
