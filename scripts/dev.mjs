// `npm run dev`: sets up as `npm start` does, then runs the product for someone who changes it.
import { setUpAndHandOver } from './hand-over.mjs';

setUpAndHandOver('scripts/dev/dev.ts');
