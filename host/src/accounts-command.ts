import { email } from '@casewatch/contracts/identity';
import { openDatabase } from '@casewatch/identity/data/open-database';
import { eraseAccount } from '@casewatch/identity/domain/account/delete-account';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { UsageError } from './events-command/command.ts';
import { databaseUrlOf } from './events-command/open-schemas.ts';
import { runOperatorCommand } from './operator-command.ts';

const USAGE = `npm run accounts -- erase <e-mail address>

Erases the account with this address, as its owner can on the profile page. It can't be undone. Again is no error.

Where: the database of DATABASE_URL (as the owner of the schemas, or as identity), else the one that "npm start" or
"npm run start:distributed" runs now on DATA_DIR (.casewatch).

Exit code: 0 done, also when there is no such account; 1 it could not be done; 2 the words were wrong.`;

const ERASED = `The event user-deleted is in the outbox. Within seconds of running, cases, monitoring, notifications, surveys and
admin-log erase what they hold, and billing removes the customer, with any subscription, at Stripe.
Not erased by this: what Stripe keeps of past payments, backups, and logs of the pods.`;

/** Runs `npm run accounts -- …`, and `accounts …` of the image. Sets the exit code. */
export function runAccountsCommand(words: readonly string[]): Promise<void> {
  return runOperatorCommand(USAGE, async (say) => {
    if (words[0] === '--help' || words[0] === '-h') {
      say(USAGE);
      return true;
    }
    const userId = await erase(readAddress(words));
    if (userId === undefined) {
      say('No account has this address: nothing to erase. An earlier erasure may have done it.');
    } else {
      say(`identity: account ${userId} and its sessions are erased.`);
      say(ERASED);
    }
    return true;
  });
}

function readAddress([command, address, ...rest]: readonly string[]): string {
  if (command !== 'erase') throw new UsageError(command ? `What is ${command}?` : 'Say what to do.');
  const typed = email.safeParse(address);
  if (!typed.success || rest.length > 0) throw new UsageError('erase needs one e-mail address.');
  return typed.data;
}

async function erase(email: string): Promise<string | undefined> {
  const database = openDatabase({
    url: databaseUrlOf(process.env, 'identity'),
    maximum: 1,
    logger: createLogger({ level: 'error', name: 'accounts' }),
    bus: createOutboxPublisher({ clock: systemClock }),
    sendsMails: true,
  });
  try {
    return await eraseAccount(database, email);
  } finally {
    await database.close();
  }
}
