import { runAccountsCommand } from '@casewatch/host/accounts-command';

/** `npm run accounts -- …` */
await runAccountsCommand(process.argv.slice(2));
