import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The words were wrong: the help is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const COMMANDS = ['dead-letters', 'redrive', 'discard', 'publish-again', 'tail'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Command {
  /** `help` by its option; `nothing` without any argument. */
  readonly name: (typeof COMMANDS)[number] | 'help' | 'nothing';
  readonly group: string | undefined;
  readonly topic: string | undefined;
  readonly eventId: string | undefined;
  readonly count: number | undefined;
}

/** Reads the words behind `npm run events --`. @throws UsageError that says what would be right. */
export function readCommand(words: readonly string[], groups: readonly string[]): Command {
  const { values, positionals } = parseWords(words, {
    group: { type: 'string' },
    topic: { type: 'string' },
    id: { type: 'string' },
    count: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  const { group, topic, id, count } = values;
  const [first, ...rest] = positionals;
  const name = COMMANDS.find((candidate) => candidate === first);
  const command = {
    group,
    topic,
    eventId: id,
    count: count === undefined ? undefined : wholeNumber(count),
  };
  if (values.help) return { ...command, name: 'help' };
  if (first === undefined) return { ...command, name: 'nothing' };
  if (!name || rest.length > 0) throw new UsageError(`What is ${name ? rest.join(' ') : first}?`);
  if (group !== undefined && !groups.includes(group)) {
    throw new UsageError(`--group is one of ${groups.join(', ')}.`);
  }
  if (id !== undefined && !UUID.test(id)) {
    throw new UsageError('--id is the id of an event, as dead-letters shows it.');
  }
  if (name === 'tail' && (group ?? id)) throw new UsageError('tail knows --topic and --count only.');
  if (name === 'publish-again' && (topic ?? id)) throw new UsageError('publish-again knows --group only.');
  if (name === 'discard' && (!id || topic)) throw new UsageError('discard needs --id: one event at a time.');
  if (name !== 'tail' && count !== undefined) throw new UsageError(`${name} knows no --count.`);
  return { ...command, name };
}

/** Reads an operator's words as `parseArgs` does. @throws UsageError for an option that is not known. */
export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--count is a whole number, 1 or more.');
}
