import { runRehearseCommand } from './agency-rehearsal/rehearse-command.ts';

/** `npm run agency:rehearse -- …` */
await runRehearseCommand(process.argv.slice(2));
