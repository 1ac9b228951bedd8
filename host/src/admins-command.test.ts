import { expect, test } from 'vitest';
import { readAdminsCommand, requirePublicUrl } from './admins-command.ts';
import { UsageError } from './events-command/command.ts';

const GRACE = 'grace@example.org';

test('a command is read with whom it is about', () => {
  expect(readAdminsCommand(['list'])).toEqual({ name: 'list' });
  expect(readAdminsCommand(['renew', GRACE])).toEqual({ name: 'renew', email: GRACE });
  for (const role of ['owner', 'auditor', 'survey-editor']) {
    const words = ['invite', GRACE, '--role', role];
    expect(readAdminsCommand(words)).toEqual({ name: 'invite', email: GRACE, role });
  }
});

test.each([[[]], [['-h']], [['invite', GRACE, '--help']]])('%j asks for help', (words) => {
  expect(readAdminsCommand(words)).toEqual({ name: 'help' });
});

test.each([
  [['remove', GRACE], 'What is remove?'],
  [['list', GRACE], 'What is list?'],
  [['renew', GRACE, 'ada@example.org'], 'What is ada@example.org?'],
  [['renew'], 'renew needs an e-mail address.'],
  [['invite', 'grace', '--role', 'owner'], 'invite needs an e-mail address.'],
  [['invite', GRACE], '--role is one of owner, auditor, survey-editor.'],
  [['invite', GRACE, '--role', 'admin'], '--role is one of owner, auditor, survey-editor.'],
  [['invite', GRACE, '--rank', 'owner'], '--rank'],
])('%j is refused with what would be right', (words, message) => {
  expect(() => readAdminsCommand(words)).toThrow(UsageError);
  expect(() => readAdminsCommand(words)).toThrow(message);
});

test('a link for a product on another machine needs its address: one to localhost would lead nowhere', () => {
  const elsewhere = 'postgres://o:p@db.example.com/casewatch';
  expect(() => requirePublicUrl({}, elsewhere)).toThrow('Set PUBLIC_URL');
  expect(() => requirePublicUrl({ PUBLIC_URL: 'https://casewatch.example.com' }, elsewhere)).not.toThrow();
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect(() => requirePublicUrl({}, `postgres://o:p@${host}:5432/casewatch`), host).not.toThrow();
});
