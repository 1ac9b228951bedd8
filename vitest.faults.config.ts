import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** `npm run test:faults`: promises shown against real parts in real time, while those parts are killed. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: { include: ['{host,gateway,services,packages}/**/*.faults.ts'], fileParallelism: false },
  }),
);
