import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readCommand, UsageError } from './command.ts';

const GROUPS = ['identity', 'cases'];

test('wrong words are refused with what would be right', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['redirve', 'What is redirve?'],
    ['tail away', 'What is away?'],
    ['dead-letters --colour', '--colour'],
    ['dead-letters --group unknown', '--group is one of identity, cases.'],
    ['redrive --id 7', '--id is the id of an event'],
    ['redrive --id 00000000-0000-0000-0000-00000000000', '--id is the id of an event'],
    ['redrive --count 1', 'redrive knows no --count.'],
    ['dead-letters --count 1', 'dead-letters knows no --count.'],
    ['discard', 'discard needs --id'],
    ['discard --topic user-deleted', 'discard needs --id'],
    ['publish-again --count 1', 'publish-again knows no --count.'],
    ['publish-again --id 00000000-0000-0000-0000-000000000000', 'publish-again knows --group only.'],
    ['tail --id 00000000-0000-0000-0000-000000000000', 'tail knows --topic and --count only.'],
    ['tail --count 1234567890', '--count is a whole number'],
    ['tail --count 1.5', '--count is a whole number'],
    ['publish-again --topic user-deleted', 'publish-again knows --group only.'],
    ['tail --count 0', '--count is a whole number'],
    ['tail --group cases', 'tail knows --topic and --count only.'],
  ];
  for (const [words, message] of wrong) {
    const read = () => readCommand(words.split(' '), GROUPS);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  }
});

test('a command is read with what narrows it down', () => {
  const id = randomUUID();
  const none = { group: undefined, topic: undefined, eventId: undefined, count: undefined };
  expect(readCommand([], GROUPS)).toEqual({ ...none, name: 'nothing' });
  expect(readCommand(['-h'], GROUPS)).toEqual({ ...none, name: 'help' });
  expect(readCommand(['redrive', '--group', 'cases', '--topic', 'user-deleted', '--id', id], GROUPS)).toEqual(
    {
      name: 'redrive',
      group: 'cases',
      topic: 'user-deleted',
      eventId: id,
      count: undefined,
    },
  );
  expect(readCommand(['tail', '--count', '3'], GROUPS)).toEqual({ ...none, name: 'tail', count: 3 });
});
