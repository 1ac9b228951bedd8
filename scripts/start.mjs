// `npm start`: brings a fresh clone to the point where the product runs, then runs it on the pinned Node.
import { setUpAndRun } from './run-pinned-node.mjs';

setUpAndRun('host/src/main.ts');
