import { rmSync } from 'node:fs';
import { makeMemoryFolder } from '@casewatch/dev-stack/postgres/memory-folder';
import { publishedEvents } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from './run-command.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = makeMemoryFolder('admins');
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(file: string, words: readonly string[], url = database.ownerUrl) {
  const env = { DATABASE_URL: url, PUBLIC_URL: 'https://cases.example.org' };
  const command = startCommand(folder, file, words, env);
  return { code: await command.code, output: command.output() };
}

test('an administrator is invited from the command line, by the owner of the schemas or the service’s own role', async () => {
  const link = /^https:\/\/cases\.example\.org\/admin\/invitation#[\w-]{43}$/m;
  const words = ['invite', 'grace@example.org', '--role', 'owner'];
  const invited = await run('scripts/admins.ts', words, database.urlFor('identity'));
  expect(invited).toMatchObject({ code: 0, output: expect.stringMatching(link) });
  expect(await run('scripts/admins.ts', words)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^An administrator with this email address already exists\./),
  });
  const renewed = await run('scripts/admins.ts', ['renew', 'grace@example.org']);
  expect(renewed).toMatchObject({ code: 0, output: expect.stringMatching(link) });
  expect(link.exec(renewed.output)?.[0]).not.toBe(link.exec(invited.output)?.[0]);
  expect((await run('scripts/admins.ts', ['list'])).output).toMatch(
    /owner +grace@example\.org {2}has not accepted yet/,
  );
  expect(await publishedEvents(database, 'identity')).toMatchObject([
    { payload: { action: 'administrator.invited', actor: 'command line' } },
    { payload: { action: 'administrator.invitation-renewed', actor: 'command line' } },
  ]);
  expect(await run('scripts/admins.ts', ['invite', 'ada@example.org'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('--role is one of owner, auditor, survey-editor.'),
  });
}, 60_000);

test('the audit trail is verified from the command line, by the owner or the service’s own role', async () => {
  await database.query(
    `INSERT INTO admin_log.audit_entries (id, at, action, subject, success, details)
     SELECT gen_random_uuid(), now(), 'x', 'y', true, '{"a": "b"}' FROM generate_series(1, 3)`,
  );
  const unbroken = await run('scripts/audit.ts', ['verify'], database.urlFor('admin-log'));
  expect(unbroken).toMatchObject({ code: 0, output: expect.stringContaining('unbroken: 3 entries') });
  const head = /^Head: (.*)$/m.exec(unbroken.output)?.[1] ?? '';
  expect((await run('scripts/audit.ts', ['verify', '--head', head])).code).toBe(0);
  expect((await run('scripts/audit.ts', ['verify', '--head', head.replace(/.$/, '')])).code).toBe(2);
  await database.query(`UPDATE admin_log.audit_entries SET action = 'z' WHERE seq = 2`);
  expect(await run('scripts/audit.ts', ['verify'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('BROKEN: entry 2'),
  });
}, 60_000);
