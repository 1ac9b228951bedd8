import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { publishedEvents } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startCommand } from './run-command.ts';

let database: TestDatabase;
let folder: string;
beforeAll(() => {
  folder = makeMemoryFolder('accounts');
});
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function accounts(words: readonly string[], url = database.ownerUrl, file = 'scripts/accounts.ts') {
  const run = startCommand(folder, file, words, { DATABASE_URL: url });
  return { code: await run.code, output: run.output() };
}

async function signUp(email: string): Promise<string> {
  const id = randomUUID();
  await database.query(
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     VALUES ($1, $2, lower($2), 'x', 'Ada', 'L', now(), now(), 'key')`,
    [id, email],
  );
  await database.query(
    `INSERT INTO identity.sessions (sid_hash, user_id, created_at, last_seen_at, expires_at, ends_at, id, device, network)
     VALUES ($1::text, $1::uuid, now(), now(), now() + interval '1 day', now() + interval '1 day', $1::uuid, 'Firefox', '-')`,
    [id],
  );
  return id;
}

const left = () => database.query('SELECT email FROM identity.users');

test('an account is erased by its address in any case, with its sessions, and the services get the event', async () => {
  const userId = await signUp('Ada@example.com');
  await signUp('bob@example.com');
  const { code, output } = await accounts(['erase', 'ADA@example.com']);
  expect(output).toContain(`account ${userId} and its sessions are erased`);
  expect(code).toBe(0);
  expect(await left()).toEqual([{ email: 'bob@example.com' }]);
  expect(await database.query('SELECT count(*)::int AS count FROM identity.sessions')).toEqual([
    { count: 1 },
  ]);
  expect(await publishedEvents(database, 'identity')).toEqual([
    { name: 'user-deleted', payload: { userId } },
  ]);
});

test('again is no error and publishes nothing more, also in the image with the role of identity', async () => {
  await signUp('ada@example.com');
  const program = (words: readonly string[]) =>
    accounts(['accounts', ...words], database.urlFor('identity'), 'host/src/container.ts');
  expect(await program(['erase', 'ada@example.com'])).toMatchObject({ code: 0 });
  expect(await program(['erase', 'ada@example.com'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('nothing to erase'),
  });
  expect(await publishedEvents(database, 'identity')).toHaveLength(1);
});

test.each(['', 'erase', 'erase ada', 'erase a@example.com b@example.com', 'remove a@example.com'])(
  'the words "%s" are refused with what would be right, and erase nothing',
  async (words) => {
    await signUp('a@example.com');
    const { code, output } = await accounts(words.split(' ').filter(Boolean));
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('npm run accounts -- erase <e-mail address>'),
    ]);
    expect(await left()).toHaveLength(1);
  },
);

test('without a database the command says how to name one', async () => {
  const { code, output } = await accounts(['erase', 'a@example.com'], '');
  expect([code, output]).toEqual([1, expect.stringContaining('DATABASE_URL')]);
});
