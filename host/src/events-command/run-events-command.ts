import { existsSync } from 'node:fs';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { explainStartFailure } from '../explain.ts';
import { kafkaConnectionOf, kafkaSettings } from '../kafka-settings.ts';
import { registry } from '../registry.ts';
import { putLoginsIntoUrls } from '../separate-logins.ts';
import { type Command, readCommand, UsageError } from './command.ts';
import { askForRedrive, discard, showDeadLetters } from './dead-letters.ts';
import { openSchemas } from './open-schemas.ts';
import { publishAgain } from './publish-again.ts';
import { tailKafka } from './tail-kafka.ts';
import { tailOutboxes } from './tail-outboxes.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_WORDS = 2;
const say = (line: string) => console.log(line);

/**
 * Runs `npm run events -- …`, and `events …` of the image: what could not be handled, handling it again, sending again,
 * and what goes by. Sets the exit code.
 */
export async function runEventsCommand(words: readonly string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  putLoginsIntoUrls(process.env);
  try {
    const groups = registry.map(({ name }) => name);
    process.exitCode = await run(readCommand(words, groups));
  } catch (error) {
    const isUsage = error instanceof UsageError;
    console.error(isUsage ? `${error.message}\n\n${USAGE}` : explained(error));
    process.exitCode = isUsage ? WRONG_WORDS : FAILED;
  }
}

async function run(command: Command): Promise<number> {
  if (command.name === 'help' || command.name === 'nothing') {
    say(USAGE);
    return command.name === 'help' ? DONE : WRONG_WORDS;
  }
  if (command.name === 'tail') return tail(command);
  const { schemas, close } = await openSchemas(process.env, registry);
  try {
    const { group, topic, eventId } = command;
    const chosen = schemas.filter(({ service }) => group === undefined || service === group);
    const which = { ...(topic ? { topic } : {}), ...(eventId ? { eventId } : {}) };
    if (command.name === 'publish-again') {
      await publishAgain(chosen, say);
      return DONE;
    }
    const acts = { redrive: askForRedrive, discard, 'dead-letters': showDeadLetters };
    return (await acts[command.name](chosen, which, say)) ? DONE : FAILED;
  } finally {
    await close();
  }
}

async function tail({ topic, count }: Command): Promise<number> {
  const settings = readSettings(kafkaSettings, process.env);
  const connection = kafkaConnectionOf(settings);
  const options = { topic, count, say, until: stopSignal() };
  if (connection) {
    await tailKafka({ ...options, connection, topicPrefix: settings.KAFKA_TOPIC_PREFIX });
    return DONE;
  }
  const { schemas, close } = await openSchemas(process.env, registry);
  await tailOutboxes({ ...options, schemas }).finally(close);
  return DONE;
}

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

function explained(error: unknown): string {
  return explainStartFailure(error, 0) ?? (error instanceof Error ? error.message : String(error));
}

const USAGE = `npm run events -- <command> [options]

  dead-letters            events that a service could not handle, oldest first
  redrive                 asks the running services to handle dead letters again, each once more
  discard                 removes one dead letter (--id) for good, and prints it: its effect never happens
  publish-again           sends what the outboxes still hold (a day) once more, in its order: after a restore, or
                          when Kafka has lost its topics; what was handled has no second effect
  tail                    shows events as they are published, until Ctrl-C

Which ones (dead-letters, redrive, discard, publish-again; without any: all):
  --group <service>       of one service, such as notifications
  --topic <event>         of one kind of event, such as status-changed (not publish-again; tail: this kind only)
  --id <event id>         a single one

  --count <n>             tail: ends after this many events
  --help                  this text

Where: the database of DATABASE_URL (as the owner of the schemas), else the one that "npm start" or
"npm run start:distributed" runs now on DATA_DIR (.casewatch). tail reads Kafka where KAFKA_BROKERS is set, else the
outboxes in the database.

Exit code: 0 done; 1 it could not be done, or no dead letter has that --id; 2 the words were wrong.`;
