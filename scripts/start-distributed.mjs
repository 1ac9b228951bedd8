// `npm run start:distributed`: as `npm start`, but every service and the gateway as a process of its own.
import path from 'node:path';
import { setUpAndRun } from './run-pinned-node.mjs';
import { root } from './setup.mjs';

setUpAndRun('scripts/distributed/start.ts', {
  env: {
    // Nine processes of one source: what one has compiled the others and later starts take from here, so that they load neither
    // the compiler of types nor its memory.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
    // As in the image (Dockerfile).
    NODE_OPTIONS: '--max-semi-space-size=4',
    MALLOC_ARENA_MAX: '1',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
});
