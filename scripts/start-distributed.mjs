// `npm run start:distributed`: as `npm start`, but every service and the gateway as a process of its own.
import { setUpAndRun } from './run-pinned-node.mjs';

setUpAndRun('scripts/distributed/start.ts');
