import { existsSync } from 'node:fs';
import { openDatabase } from '@casewatch/identity/data/open-database';
import { eraseAccount } from '@casewatch/identity/domain/delete-account';
import { createOutboxPublisher } from '@casewatch/messaging/outbox-publisher';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { z } from 'zod';
import { ownerUrlOf } from './events-command/open-schemas.ts';
import { explainStartFailure } from './explain.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_WORDS = 2;
const say = (line: string) => console.log(line);

const USAGE = `npm run accounts -- erase <e-mail address>

Erases the account with this address, as its owner can on the profile page. It can't be undone. Again is no error.

Where: the database of DATABASE_URL (as the owner of the schemas, or as identity), else the one that "npm start" or
"npm run start:distributed" runs now on DATA_DIR (.casewatch).

Exit code: 0 done, also when there is no such account; 1 it could not be done; 2 the words were wrong.`;

/** `npm run accounts -- …`, and `accounts …` of the image. Sets the exit code. */
export async function runAccountsCommand(words: readonly string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    process.exitCode = await run(words);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    console.error(explainStartFailure(error, 0) ?? text);
    process.exitCode = FAILED;
  }
}

async function run(words: readonly string[]): Promise<number> {
  const [command, address, ...rest] = words;
  if (command === '--help' || command === '-h') {
    say(USAGE);
    return DONE;
  }
  const email = z.email().safeParse(address?.trim());
  if (command !== 'erase' || !email.success || rest.length > 0) {
    console.error(`${command === 'erase' ? 'Give one e-mail address.\n\n' : ''}${USAGE}`);
    return WRONG_WORDS;
  }
  return erase(email.data);
}

async function erase(email: string): Promise<number> {
  const database = openDatabase({
    url: ownerUrlOf(process.env),
    maximum: 1,
    logger: createLogger({ level: 'error', name: 'accounts' }),
    bus: createOutboxPublisher({ clock: systemClock }),
  });
  try {
    const userId = await eraseAccount(database, email);
    if (userId === undefined) {
      say('No account has this address: nothing to erase. An earlier erasure may have done it.');
      return DONE;
    }
    say(`identity: account ${userId} and its sessions are erased.`);
    say(
      'The event user-deleted is in the outbox: cases, monitoring, notifications, billing, surveys and admin-log erase',
    );
    say(
      'what they hold within seconds of running, and billing removes the customer, with any subscription, at Stripe.',
    );
    say('Not erased by this: what Stripe keeps of past payments, backups, and logs of the pods.');
    return DONE;
  } finally {
    await database.close();
  }
}
