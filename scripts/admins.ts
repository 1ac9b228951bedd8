import { runAdminsCommand } from '@casewatch/host/admins-command';

/** `npm run admins -- …` */
await runAdminsCommand(process.argv.slice(2));
