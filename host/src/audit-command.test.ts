import { expect, test } from 'vitest';
import { readAuditCommand } from './audit-command.ts';
import { UsageError } from './events-command/command.ts';

const [SOME, OTHER] = ['0a'.repeat(32), 'f9'.repeat(32)];

test('every head that was noted is read', () => {
  expect(readAuditCommand(['verify'])).toEqual([]);
  const heads = ['--head', `3:${SOME}`, '--head', `999999999999999:${OTHER}`];
  expect(readAuditCommand(['verify', ...heads])).toEqual([
    { seq: 3, hash: SOME },
    { seq: 999_999_999_999_999, hash: OTHER },
  ]);
});

test.each([[['-h']], [['verify', '--help']], [[]]])('%j asks for help', (words) => {
  expect(readAuditCommand(words)).toBeUndefined();
});

test.each([
  [['check'], 'What is check?'],
  [['verify', 'all'], 'What is verify all?'],
  [['verify', '--tail', '3'], '--tail'],
  [['verify', '--head', SOME], '--head is a number'],
  [['verify', '--head', `3:${SOME}0`], '--head is a number'],
  [['verify', '--head', `3:${SOME.toUpperCase()}`], '--head is a number'],
  [['verify', '--head', `1000000000000000:${SOME}`], '--head is a number'],
  [['verify', '--head', `3:${SOME}`, '--head', '3'], '--head is a number'],
])('%j is refused with what would be right', (words, message) => {
  expect(() => readAuditCommand(words)).toThrow(UsageError);
  expect(() => readAuditCommand(words)).toThrow(message);
});
