import { runEventsCommand } from '@casewatch/host/events-command/run-events-command';

/** `npm run events -- …` */
await runEventsCommand(process.argv.slice(2));
