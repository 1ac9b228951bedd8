// `npm run dev`: sets up as `npm start` does, then runs the product for development.
import { setUpAndRun } from './run-pinned-node.mjs';

await setUpAndRun('scripts/dev/dev.ts');
