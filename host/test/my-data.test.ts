import { randomUUID } from 'node:crypto';
import type { PersonalRow } from '@casewatch/contracts/my-data';
import type { ServiceDefinition } from '@casewatch/service-definition/define-service';
import { columnsOf as namesOf, type PersonalData } from '@casewatch/service-kit/database/personal-data';
import { schemaOf } from '@casewatch/service-kit/database/service-url';
import { createMovedClock } from '@casewatch/testing/moved-clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { startTestService } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '../src/registry.ts';
import { loadServices } from '../src/roles.ts';

const SECRET = 'a secret that stays on the server';
const [ADA, BOB] = [randomUUID(), randomUUID()];
/** Of the rows: what is past would be forgotten. */
const clock = createMovedClock(Date.parse('2026-01-05T12:00:00Z'));
let database: TestDatabase;
let services: ServiceDefinition[];
beforeAll(async () => {
  database = await createTestDatabase();
  services = await loadServices(registry);
  for (const [index, user] of [ADA, BOB].entries())
    for (const sql of rowsOf(user, index)) await database.query(sql);
});
afterAll(() => database.drop());

test('every column of every table with a user id is in the download, or left out with a reason', async () => {
  for (const { name, personalData } of services) {
    expect(uncovered(personalData, await columnsOf(schemaOf(name))), name).toEqual([]);
  }
});

test('shown able to fail: a new table with a user id, a new column, and a removed column', () => {
  const data: PersonalData = { tables: { people: { key: ['user_id'], columns: 'user_id, old' } } };
  const columns = new Map([
    ['people', ['user_id', 'phone']],
    ['invoices', ['id', 'user_id']],
    ['prices', ['id']],
  ]);
  expect(uncovered(data, columns)).toEqual([
    'people.phone is not in the download',
    'people.old does not exist',
    'invoices is not in the download',
  ]);
});

test.each(registry.map(({ name }) => name))(
  '%s answers with all rows of the user in all of its tables, with nothing of another user and no secret',
  async (name) => {
    const definition = services.find((one) => one.name === name) ?? expect.fail(`no ${name}`);
    const running = await startTestService(definition, {
      database,
      clock,
      env: { AGENCY_CLIENT_ID: 'id', AGENCY_CLIENT_SECRET: 'secret' },
    });
    try {
      const answer = await running.call('GET', `/api/my-data/${name}`, { as: { userId: ADA } });
      const text = await answer.text();
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as PersonalRow);
      expect(answer.status).toBe(200);
      expect(new Set(rows.map(({ table }) => table))).toEqual(
        new Set(Object.keys(definition.personalData.tables)),
      );
      expect(text).not.toContain(BOB);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('Bob');
      const signedOut = await running.call('GET', `/api/my-data/${name}`);
      expect(signedOut.status).toBe(401);
    } finally {
      await running.stop();
    }
  },
);

test('many rows come over several pages, each once', async () => {
  const userId = randomUUID();
  await database.query(
    `INSERT INTO monitoring.watchers (user_id, receipt_number, period_days)
     SELECT $1, 'EAC' || lpad(n::text, 10, '0'), NULL FROM generate_series(1, 1200) AS n`,
    [userId],
  );
  const definition = services.find(({ name }) => name === 'monitoring') ?? expect.fail('no monitoring');
  const running = await startTestService(definition, { database, clock });
  try {
    const text = await (await running.call('GET', '/api/my-data/monitoring', { as: { userId } })).text();
    const numbers = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as PersonalRow).row.receipt_number);
    expect([numbers.length, new Set(numbers).size]).toEqual([1_200, 1_200]);
  } finally {
    await running.stop();
  }
});

/** What is missing from a service's download, or does not exist. */
function uncovered({ tables, leftOut = {} }: PersonalData, columns: ReadonlyMap<string, readonly string[]>) {
  return [...columns].flatMap(([table, names]) => {
    const listed = tables[table];
    if (!listed) {
      const isPersonal = names.some((column) => /(^|_)user(_id)?$/.test(column));
      return isPersonal && !leftOut[table] ? [`${table} is not in the download`] : [];
    }
    const known = [...namesOf(listed.columns), ...Object.keys(listed.withheld ?? {})];
    return [
      ...names
        .filter((column) => !known.includes(column))
        .map((column) => `${table}.${column} is not in the download`),
      ...known
        .filter((column) => !names.includes(column))
        .map((column) => `${table}.${column} does not exist`),
    ];
  });
}

/** Tables with their columns, without the partitions of each. */
async function columnsOf(schema: string): Promise<Map<string, string[]>> {
  const rows = await database.query<{ name: string; columns: string[] }>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
       AND NOT attisdropped
     GROUP BY relname`,
    [schema],
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** A row of the user in every table. */
function rowsOf(user: string, index: number): string[] {
  const [name, id, at] = [['Ada', 'Bob'][index], randomUUID(), "timestamptz '2026-01-05T12:00:00Z'"];
  const survey = `00000000-0000-4000-8000-00000000000${index}`;
  return [
    `INSERT INTO identity.users (id, email, email_key, password_hash, first_name, last_name, created_at, email_verified_at, device_key)
     VALUES ('${user}', '${name}@example.com', lower('${name}@example.com'), '${SECRET}', '${name}', 'L', ${at}, ${at}, '${SECRET}')`,
    `INSERT INTO identity.sessions (sid_hash, user_id, created_at, last_seen_at, expires_at, ends_at, id, device, network)
     VALUES ('${SECRET}${index}', '${user}', ${at}, ${at}, ${at} + interval '1 day', ${at} + interval '1 day', '${id}', 'Firefox', '192.0.2.0/24')`,
    `INSERT INTO identity.device_sessions (session_id, user_id, granted_at) VALUES ('${id}', '${user}', ${at})`,
    `INSERT INTO identity.account_mails (id, kind, email, user_id, requested_at, expires_at, language)
     VALUES ('${id}', 'password-changed', '${name}@example.com', '${user}', ${at}, ${at} + interval '3 days', 'en')`,
    `INSERT INTO identity.account_tokens (token_hash, purpose, user_id, email, expires_at)
     VALUES ('${SECRET}${index}', 'confirm-email', '${user}', '${name}@example.com', ${at} + interval '1 day')`,
    `INSERT INTO identity.passkeys (id, credential_id, user_id, public_key, counter, transports, synced, name, created_at)
     VALUES ('${id}', 'credential of ${name}', '${user}', '${SECRET}', 1, '{internal}', true, 'Laptop of ${name}', ${at})`,
    `INSERT INTO identity.passkey_challenges (challenge_hash, purpose, user_id, expires_at)
     VALUES ('${SECRET}${index}', 'register', '${user}', ${at} + interval '5 minutes')`,
    `INSERT INTO cases.saved_cases (id, user_id, receipt_number, nickname, created_at)
     VALUES ('${id}', '${user}', 'EAC9999103403', '${name}', ${at})`,
    `INSERT INTO cases.removed_cases (user_id, receipt_number, tags, monitoring_frequency, created_at, removed_at)
     VALUES ('${user}', 'EAC9999103404', '{}', 'none', ${at}, ${at})`,
    `INSERT INTO cases.agency_budget_users (day, user_id, calls) VALUES ('2026-01-05', '${user}', 3)`,
    `INSERT INTO cases.plans (user_id, tier, version) VALUES ('${user}', 'pro', 1)`,
    `INSERT INTO cases.watch_lists (user_id, listed_at) VALUES ('${user}', ${at})`,
    `INSERT INTO monitoring.watchers (user_id, receipt_number) VALUES ('${user}', 'EAC9999103403')`,
    `INSERT INTO notifications.recipients (user_id, last_seq) VALUES ('${user}', 1)`,
    `INSERT INTO notifications.notifications (id, user_id, seq, receipt_number, new_status, created_at)
     VALUES ('${id}', '${user}', 1, 'EAC9999103403', 'For ${name}', ${at})`,
    `INSERT INTO notifications.push_devices (id, user_id, endpoint, p256dh, auth, public_key, name, added_at, session_id)
     VALUES ('${id}', '${user}', '${SECRET}', '${SECRET}', '${SECRET}', 'key', 'Browser of ${name}', ${at}, '${id}')`,
    `INSERT INTO notifications.deliveries (channel, kind, notification_id, device_id, state, queued_at)
     VALUES ('email', 'notification', '${id}', NULL, 'skipped', ${at}),
       ('push', 'notification', '${id}', '${id}', 'skipped', ${at})`,
    `INSERT INTO notifications.deliveries (channel, kind, user_id, device_id, digest_kind, period, changes, state, queued_at)
     VALUES ('email', 'digest', '${user}', NULL, 'daily', '2026-01-05', '{${id}}', 'skipped', ${at}),
       ('push', 'digest', '${user}', '${id}', 'daily', '2026-01-05', '{${id}}', 'skipped', ${at})`,
    `INSERT INTO notifications.preferences (user_id, settings, changed_at)
     VALUES ('${user}', '{"digestHour": ${index}}', ${at})`,
    `INSERT INTO notifications.digest_changes VALUES ('${user}', 'email', 'daily', '${id}')`,
    `INSERT INTO notifications.digest_schedules (user_id, channel, kind, next_at)
     VALUES ('${user}', 'email', 'daily', ${at}), ('${user}', 'push', 'daily', ${at})`,
    `INSERT INTO billing.customers (user_id, email) VALUES ('${user}', '${name}@example.com')`,
    `INSERT INTO billing.subscriptions (user_id, stripe_subscription_id, status, tier, price_id, price_cents, price_interval,
       price_name, period_ends_at, payment_failed, awaits_card, trial_used)
     VALUES ('${user}', 'sub_${index}', 'active', 'pro', 'price', 900, 'month', 'Monthly', ${at}, false, false, true)`,
    `INSERT INTO billing.trial_claims (hash, kind, user_id, stripe_subscription_id, claimed_at)
     VALUES (convert_to('${SECRET}${index}', 'UTF8'), 'address', '${user}', 'sub_${index}', ${at})`,
    `INSERT INTO surveys.surveys (id, title, is_active, frequency, login_trigger, version, created_at, updated_at)
     VALUES ('${survey}', 'Survey', true, 'daily', 1, 1, ${at}, ${at})`,
    `INSERT INTO surveys.questions (id, survey_id, question_text, question_type, options, order_index, is_required, created_at)
     VALUES ('${survey}', '${survey}', 'Why?', 'text', '{}', 0, true, ${at})`,
    `INSERT INTO surveys.people (user_id, login_count) VALUES ('${user}', 1)`,
    `INSERT INTO surveys.trackings VALUES ('${user}', '${survey}', ${at}, 1, true, ${at})`,
    `INSERT INTO surveys.responses (id, survey_id, question_id, user_id, response_text, response_options, created_at)
     VALUES ('${id}', '${survey}', '${survey}', '${user}', 'Because, says ${name}', '{}', ${at})`,
    `SELECT admin_log.ensure_log_month('2026-01-01')`,
    `INSERT INTO admin_log.calls (created_at, id, receipt_number, user_id, user_first_name, source, success, duration_ms,
       queue_ms, agency_ms, agency_calls, outcome, served_stale, payload_hash)
     VALUES (${at}, '${id}', 'EAC9999103403', '${user}', '${name}', 'user', true, 1, 0, 1, 1, 'answered', false,
       sha256('For ${name}'))`,
    `INSERT INTO admin_log.payloads VALUES (sha256('For ${name}'), 'For ${name}', ${at})`,
  ];
}
