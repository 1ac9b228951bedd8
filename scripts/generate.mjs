// `npm run generate`: packages, Prisma clients and event types, where they are missing or stale.
import { setUp } from './setup.mjs';

await setUp({ say: (step) => console.log(`  ${step} …`), web: false });
