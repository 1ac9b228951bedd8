// `npm start`: brings a fresh clone to the point where the product runs, then runs it on the pinned Node.
import { setUpAndRun } from './run-pinned-node.mjs';

// E-mails have a page of their own to be read at, until SMTP_URL is set.
process.env.MAILBOX_PORT ??= '0';
await setUpAndRun('host/src/main.ts');
