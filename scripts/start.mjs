// `npm start`: brings a fresh clone to the point where the product runs, then hands over to the pinned Node.
import { setUpAndHandOver } from './hand-over.mjs';

setUpAndHandOver('host/src/main.ts');
