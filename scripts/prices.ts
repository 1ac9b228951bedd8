import { runPricesCommand } from '@casewatch/host/prices-command';

/** `npm run prices -- …` */
await runPricesCommand(process.argv.slice(2));
