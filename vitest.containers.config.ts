import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:containers`: the image and docker-compose.yml, built and run by a real container engine. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], globalSetup: [] } },
  defineConfig({ test: { include: ['tools/containers/test/*.containers.ts'], testTimeout: 60_000 } }),
);
