import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, commandsOf, GUIDES, inlineCodeOf, RUNBOOKS } from '../src/page-commands.ts';
import { promtool } from '../src/promtool.ts';

/**
 * Every SQL statement, PromQL expression and npm command of the runbooks and guides, as an operator would run it. Those of
 * kubectl and helm run in tools/kubernetes/test/cluster/operations.test.ts.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const commands = [...RUNBOOKS, ...GUIDES].flatMap(commandsOf);
const IN_CLUSTER = /\b(?:kubectl|helm|openssl)\b/;

const named = (kept: (command: Command) => boolean) =>
  commands
    .filter((command) => command.notRun === undefined && kept(command))
    .map((command) => [`${command.page}: ${command.text.split('\n', 1)[0]}`, command.text] as const);
const sql = named(({ language }) => language === 'sql');
const promql = named(({ language }) => language === 'promql');
const npm = named(({ language, text }) => language === 'sh' && !IN_CLUSTER.test(text));

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'casewatch-runbooks-'));
  await promtool(['--version'], folder);
}, 1_800_000);
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('finds commands of every kind', () => {
  expect(sql.length).toBeGreaterThan(7);
  expect(promql.length).toBeGreaterThan(15);
  expect(npm.length).toBeGreaterThan(1);
});

it('a block is of a language that a test runs, or says why it is not run here', () => {
  for (const { page, language, text, notRun } of commands) {
    // A configuration of another program runs nothing; tools/kubernetes gives values to the chart.
    const isShown = ['ini', 'yaml'].includes(language) || (language === 'sh' && notRun !== undefined);
    expect(isShown || ['sh', 'sql', 'promql'].includes(language), `${page}: ${text}`).toBe(true);
  }
});

it.each(RUNBOOKS)('%s hides no command within a sentence, where no test would run it', (page) => {
  const hidden = inlineCodeOf(page).filter((code) =>
    /^(?:kubectl|helm|npm) |^(?:SELECT|UPDATE|DELETE|ALTER) |\w\(\w/.test(code),
  );
  expect(hidden).toEqual([]);
});

describe('SQL', () => {
  it.each(sql)('%s', async (_, text) => {
    await database.query(`BEGIN;\n${text}\nROLLBACK;`);
  });

  it('that retries e-mails finds those that failed in an outage, and none of long ago', async () => {
    const retry = sql.find(([name]) => name.includes('UPDATE notifications.deliveries'))?.[1];
    const [recent, old] = [randomUUID(), randomUUID()];
    const giveUp = (id: string, seq: number, ago: string) =>
      database.query(
        `WITH notification AS (
           INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
           VALUES ('${id}', gen_random_uuid(), ${seq}, 'IOE0912345678', 'Case Was Received', now()) RETURNING id)
         INSERT INTO notifications.deliveries (notification_id, channel, kind, state, attempts, queued_at, last_error)
         SELECT id, 'email', 'notification', 'failed', 9, now() - interval '${ago}', 'expired' FROM notification`,
      );
    await giveUp(recent, 1, '4 days');
    await giveUp(old, 2, '1 year');
    await database.query(`${retry}`);
    // Times of one statement are compared with each other: the clock may be set back between two.
    const found = await database.query(
      `SELECT notification_id AS id, state, next_attempt_at = queued_at AS "isDue" FROM notifications.deliveries ORDER BY queued_at DESC`,
    );
    expect(found).toEqual([
      { id: recent, state: 'queued', isDue: true },
      { id: old, state: 'failed', isDue: null },
    ]);
  });

  it('that names a column which does not exist fails', async () => {
    await expect(database.query('SELECT occurred_at FROM cases.outbox')).rejects.toThrow(/occurred_at/);
  });
});

it.each(promql)('PromQL: %s', async (_, text) => {
  const groups = [{ name: 'page', rules: [{ record: 'page:query', expr: text }] }];
  writeFileSync(path.join(folder, 'query.yaml'), JSON.stringify({ groups }));
  const { ok, output } = await promtool(['check', 'rules', 'query.yaml'], folder);
  expect(ok, output).toBe(true);
});

it.each(npm)('%s', async (_, text) => {
  await run('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: database.ownerUrl },
  });
});
