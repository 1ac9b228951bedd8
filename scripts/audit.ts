import { runAuditCommand } from '@casewatch/host/audit-command';

/** `npm run audit -- …` */
await runAuditCommand(process.argv.slice(2));
