import { type DeadLetter, listDeadLetters, requestRedrive } from '@casewatch/messaging/dead-letters';
import type { Schema } from './open-schemas.ts';

export interface Which {
  topic?: string;
  eventId?: string;
}

/** A page that a person can read; the rest shows when these are gone. */
const SHOWN_MAX = 1_000;

/** Prints the dead letters and what each failed with. False when the one that was meant is not there. */
export async function showDeadLetters(
  schemas: readonly Schema[],
  { topic, eventId }: Which,
  say: (line: string) => void,
): Promise<boolean> {
  const all = await Promise.all(schemas.map(({ sql }) => listDeadLetters(sql, SHOWN_MAX)));
  const letters = all
    .flat()
    .filter(
      (letter) =>
        (topic === undefined || letter.topic === topic) && (eventId === undefined || letter.id === eventId),
    )
    .sort((a, b) => a.failedAt.getTime() - b.failedAt.getTime());
  for (const letter of letters) {
    say(lineOf(letter));
    say(`  ${letter.error.split('\n')[0]}`);
    if (eventId) say(`  ${JSON.stringify(letter.payload)}`);
  }
  say(letters.length === 0 ? 'No dead letters.' : `${counted(letters.length)}.`);
  return eventId === undefined || letters.length > 0;
}

/** Asks for what the running services then do. False when the one that was meant is not there. */
export async function askForRedrive(
  schemas: readonly Schema[],
  which: Which,
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

function lineOf({ group, id, topic, failedAt, attempts, redriveRequestedAt }: DeadLetter): string {
  const asked = redriveRequestedAt ? ', to be handled again' : '';
  return `${failedAt.toISOString()}  ${group}  ${topic}  ${id}  ${attempts} attempts${asked}`;
}

const counted = (count: number) => `${count} dead letter${count === 1 ? '' : 's'}`;
