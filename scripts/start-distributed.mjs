// `npm run start:distributed`: as `npm start`, but every service and the gateway as a process of its own.
import { setUpAndHandOver } from './hand-over.mjs';

setUpAndHandOver('scripts/distributed/start.ts');
