// `npm run build`: packages, generated code and the web app, where they are missing or stale.
import { setUp } from './setup.mjs';

await setUp({ say: (step) => console.log(`  ${step} …`), web: true });
