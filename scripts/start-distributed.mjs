// `npm run start:distributed`: as `npm start`, but every service and the gateway as a process of its own.
import { setUpAndRun } from './run-pinned-node.mjs';

await setUpAndRun('scripts/distributed/start.ts', {
  env: {
    // As in the image (Dockerfile).
    NODE_OPTIONS: '--max-semi-space-size=4',
    MALLOC_ARENA_MAX: '1',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
});
