import {
  type DeadLetter,
  discardDeadLetter,
  listDeadLetters,
  requestRedrive,
  type WhichDeadLetters,
} from '@casewatch/messaging/dead-letters';
import type { Schema } from './open-schemas.ts';

/** A page that a person can read; the rest shows once these are handled. */
const SHOWN_MAX = 1_000;

/** Prints the dead letters and what each failed with. False when the one that was meant is not there. */
export async function showDeadLetters(
  schemas: readonly Schema[],
  which: WhichDeadLetters,
  say: (line: string) => void,
): Promise<boolean> {
  const all = await Promise.all(schemas.map(({ sql }) => listDeadLetters(sql, which, SHOWN_MAX + 1)));
  const letters = all.flat().sort((a, b) => a.failedAt.getTime() - b.failedAt.getTime());
  for (const letter of letters.slice(0, SHOWN_MAX)) {
    say(lineOf(letter));
    say(`  ${letter.error.split('\n')[0]}`);
    if (which.eventId) say(`  ${JSON.stringify(letter.payload)}`);
  }
  say(summaryOf(letters.length));
  return which.eventId === undefined || letters.length > 0;
}

function summaryOf(found: number): string {
  if (found === 0) return 'No dead letters.';
  return found > SHOWN_MAX ? `The oldest ${counted(SHOWN_MAX)}; there are more.` : `${counted(found)}.`;
}

/** Asks for what the running services then do. False when the one that was meant is not there. */
export async function askForRedrive(
  schemas: readonly Schema[],
  which: WhichDeadLetters,
  say: (line: string) => void,
): Promise<boolean> {
  let asked = 0;
  for (const { service, sql } of schemas) {
    const count = await requestRedrive(sql, Date.now(), which);
    if (count > 0)
      say(`${service}: ${counted(count)} will be handled again within seconds of the service running.`);
    asked += count;
  }
  if (asked === 0) say('No dead letter to handle again.');
  return which.eventId === undefined || asked > 0;
}

/** Removes one dead letter of each schema that has it, and prints it whole: nothing else keeps it. False when there is none. */
export async function discard(
  schemas: readonly Schema[],
  { eventId }: WhichDeadLetters,
  say: (line: string) => void,
): Promise<boolean> {
  let isFound = false;
  for (const { sql } of schemas) {
    const letter = eventId && (await discardDeadLetter(sql, eventId));
    if (!letter) continue;
    isFound = true;
    say(`Discarded, never to be handled: ${lineOf(letter)}`);
    say(`  ${JSON.stringify(letter.payload)}`);
  }
  if (!isFound) say('No dead letter has this id.');
  return isFound;
}

function lineOf({ group, id, topic, failedAt, attempts, redriveRequestedAt }: DeadLetter): string {
  const asked = redriveRequestedAt ? ', to be handled again' : '';
  return `${failedAt.toISOString()}  ${group}  ${topic}  ${id}  ${attempts} attempts${asked}`;
}

const counted = (count: number) => `${count} dead letter${count === 1 ? '' : 's'}`;
